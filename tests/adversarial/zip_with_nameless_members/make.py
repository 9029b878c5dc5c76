"""Packs members whose names are empty, end in the middle, or hold nothing but slashes, on which careless programs
stumble.
"""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base)
        for name in ("", "/", "//", "./", "a//b", "x\0y"):
            member = zipfile.ZipInfo("x")
            member.filename = name
            archive.writestr(member, b"")
    return made
