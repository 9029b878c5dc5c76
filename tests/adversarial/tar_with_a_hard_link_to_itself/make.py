"""Packs a hard link under the name of its file, to a member before it and to a path outside."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar"
    content = base.replace("axis=0", "axis=-1").encode()
    with tarfile.open(made, "w") as archive:
        first = tarfile.TarInfo("first.txt")
        first.size = len(content)
        archive.addfile(first, io.BytesIO(content))
        link = tarfile.TarInfo("target.py")
        link.type = tarfile.LNKTYPE
        link.linkname = "first.txt"
        archive.addfile(link)
    return made
