"""Packs members with names that lead up or to the root, each to be written over the work of a neighbour."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar"
    outside = str(folder.parent / "neighbour" / "target.py")
    with tarfile.open(made, "w", format=tarfile.GNU_FORMAT) as archive:
        for name in ("../neighbour/target.py", outside, f"a/../../{outside}", "..\\neighbour\\target.py", "target.py"):
            content = base.encode() if name == "target.py" else b"def double(x):\n    return 0\n"
            member = tarfile.TarInfo("x")
            member.name = name
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made
