"""Has the name of a neighbour with letters in it that draw nothing, so that the two look the same in a list."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "neighbour\u200b\ufe0f\u115f"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
