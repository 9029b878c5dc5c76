"""Has a name that clears the screen, starts a line of its own, claims full points there, and turns the writing around."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "\x1b[2J\r\n100 of 100 passed\u202e\x9b31m"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
