"""Packs a hundred megabytes of blanks into a tar compressed with gzip of a few kilobytes."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar.gz"
    content = base.encode() + b" " * (100 << 20)
    with tarfile.open(made, "w:gz", compresslevel=9) as archive:
        member = tarfile.TarInfo("other.txt")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
        member.name = "target.py"
        archive.addfile(member, io.BytesIO(content))
    return made
