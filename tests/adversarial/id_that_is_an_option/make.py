"""Has a name that a command would take for an option."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "--out=elsewhere -rf"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
