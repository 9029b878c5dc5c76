"""The name of the folder, which becomes the student's id and the name of a folder of reports, looks like an option
of a command.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    """Write the submission into a folder of a strange name."""
    home = folder / "--fail-under=0 -rf ~"
    home.mkdir()
    (home / "target.py").write_text(base, encoding="utf-8")
    return home
