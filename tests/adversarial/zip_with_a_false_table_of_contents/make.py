"""States that its table of contents is four gigabytes long, lies before the beginning, and names millions of members."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("target.py", base)
    content = packed.getvalue()[:-22]
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFE, 0xFFFE, 0xFFFFFFF0, 0xFFFFFFF0, 0)
    made = folder / "work.zip"
    made.write_bytes(content + end)
    return made
