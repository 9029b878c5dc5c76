"""Hands in a compressed tar that ends in the middle of its file."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar.gz"
    content = base.encode() + os.urandom(5000).hex().encode()
    with tarfile.open(made, "w:gz") as archive:
        member = tarfile.TarInfo("target.py")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    made.write_bytes(made.read_bytes()[:-2000])
    return made
