"""Packs an extended header of thirty megabytes, and names as long, before its file."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    content = base.encode()
    made = folder / "work.tar.xz"
    with tarfile.open(made, "w:xz", format=tarfile.PAX_FORMAT, preset=0) as archive:
        member = tarfile.TarInfo("target.py")
        member.size = len(content)
        member.pax_headers = {"comment": "x" * (30 << 20)}
        archive.addfile(member, io.BytesIO(content))
    return made
