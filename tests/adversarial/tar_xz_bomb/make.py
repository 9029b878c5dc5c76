"""Packs a hundred megabytes of blanks into a tar compressed with xz of a few kilobytes."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar.xz"
    content = base.encode() + b" " * (100 << 20)
    with tarfile.open(made, "w:xz", preset=1) as archive:
        member = tarfile.TarInfo("other.txt")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
        member.name = "target.py"
        archive.addfile(member, io.BytesIO(content))
    return made
