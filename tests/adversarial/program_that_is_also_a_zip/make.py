"""Hands in an archive with a program in front of it, as those that unpack themselves have, under the name of an
archive.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("target.py", base)
        archive.writestr("__main__.py", "print('BREACH the archive was run')\n")
    made = folder / "work.zip"
    made.write_bytes(b"#!/usr/bin/env python3\n" + packed.getvalue())
    return made
