"""Has a name that Windows keeps for the console, with an ending that does not help."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "CON .txt"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
