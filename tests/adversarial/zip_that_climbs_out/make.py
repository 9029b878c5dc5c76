"""Packs members with names that lead up, to the root, to a drive, or by a backslash, each with a wrong answer to be
written over a neighbour's.
"""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    neighbour = folder.parent / "neighbour" / "target.py"
    names = (
        "../neighbour/target.py",
        "a/../../neighbour/target.py",
        str(neighbour),
        f"//{neighbour}",
        f"C:{neighbour}",
        "C:\\target.py",
        "..\\neighbour\\target.py",
        "./../neighbour/target.py",
        "..",
        "/",
    )
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "def double(x):\n    return 0\n")
        archive.writestr("target.py", base)
    return made
