"""Hands in a file just below the limit of a file's size, made of blanks, which is more than a pipe between two
processes holds at once.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base + "#" * (1_000_000 - len(base)))
    return folder
