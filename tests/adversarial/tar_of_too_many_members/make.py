"""Packs twenty thousand empty members before its file."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar.gz"
    with tarfile.open(made, "w:gz", compresslevel=1) as archive:
        for number in range(20_000):
            archive.addfile(tarfile.TarInfo(f"{number}"))
        content = base.encode()
        member = tarfile.TarInfo("target.py")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return made
