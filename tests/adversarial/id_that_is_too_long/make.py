"""Has a name of 250 bytes, to which nothing can be added before a file system refuses it."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / ("é" * 125)
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
