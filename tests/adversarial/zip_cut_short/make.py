"""Hands in archives that end in the middle, one of them in its table of contents."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("target.py", base)
    made = folder / "work.zip"
    made.write_bytes(packed.getvalue()[:-30])
    return made
