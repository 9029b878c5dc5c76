"""Hands in a file whose name looks like the one asked for and is written with other letters."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    for name in ("t\u0430rget.py", "target\u200b.py", "\uff54arget.py", "target.py "):
        (folder / name).write_text(base.replace("axis=0", "axis=-1"))
    return folder
