"""Packs symbolic and hard links that lead to another student's file."""

from __future__ import annotations

import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar"
    with tarfile.open(made, "w") as archive:
        for name, kind in (("target.py", tarfile.SYMTYPE), ("hard.py", tarfile.LNKTYPE), ("folder", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            member.linkname = "../neighbour/target.py"
            archive.addfile(member)
    return made
