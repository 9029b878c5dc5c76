"""Packs devices and pipes, its own file among them."""

from __future__ import annotations

import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar"
    with tarfile.open(made, "w") as archive:
        for name, kind in (("target.py", tarfile.CHRTYPE), ("disk", tarfile.BLKTYPE), ("pipe", tarfile.FIFOTYPE)):
            member = tarfile.TarInfo(name)
            member.type = kind
            member.devmajor, member.devminor = 1, 5
            archive.addfile(member)
    return made
