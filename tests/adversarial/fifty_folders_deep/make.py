"""Hands in its file below fifty folders, each the only one in the one above."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    deep = folder.joinpath(*["down"] * 50)
    deep.mkdir(parents=True)
    (deep / "target.py").write_text(base)
    return folder
