"""The name of the folder, which becomes the student's id, retitles the terminal, colours it and turns the
direction of writing.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    """Write the submission into a folder of a strange name."""
    home = folder / "ann\x1b]0;passed\x07\x1b[31m\u202etxt"
    home.mkdir()
    (home / "target.py").write_text(base, encoding="utf-8")
    return home
