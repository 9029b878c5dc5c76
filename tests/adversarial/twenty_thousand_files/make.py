"""Hands in its file among twenty thousand others."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for number in range(20_000):
        (folder / f"{number}.txt").touch()
    return folder
