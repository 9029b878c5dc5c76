"""Packs by methods other than the ordinary one: bzip2 and LZMA, which inflate slowly and need much memory."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base, zipfile.ZIP_LZMA)
        archive.writestr("other.py", base, zipfile.ZIP_BZIP2)
    return made
