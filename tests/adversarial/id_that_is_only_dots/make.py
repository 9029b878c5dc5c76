"""Has a name of dots and blanks, which some systems take for the folder above."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / " .. "
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
