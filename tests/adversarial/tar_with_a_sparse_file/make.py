"""Packs its file as sparse, with a stated size of a terabyte and a few bytes of content."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    content = base.encode()
    made = folder / "work.tar"
    sizes = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.realsize": str(1 << 40),
        "GNU.sparse.name": "target.py",
    }
    with tarfile.open(made, "w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("target.py")
        member.size = len(content)
        member.pax_headers = sizes
        archive.addfile(member, io.BytesIO(content))
    return made
