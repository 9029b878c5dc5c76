"""The name of the folder, which becomes the name of a folder of reports, holds what some system takes for the way
to another one.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    """Write the submission into a folder of a strange name."""
    home = folder / "ann\\..\\..\\neighbour\\CON"
    home.mkdir()
    (home / "target.py").write_text(base, encoding="utf-8")
    return home
