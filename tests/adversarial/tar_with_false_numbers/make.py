"""States a negative size for a member, which leads some readers in circles, with a checksum that is right."""

from __future__ import annotations

import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    header = bytearray(tarfile.TarInfo("first.txt").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = b"\xff" * 10 + b"\xfc\x00"
    header[148:156] = b" " * 8
    header[148:156] = f"{sum(header):06o}\0 ".encode()
    content = base.encode()
    member = tarfile.TarInfo("target.py")
    member.size = len(content)
    made = folder / "work.tar"
    made.write_bytes(bytes(header) + member.tobuf() + content.ljust(1024, b"\0") + bytes(1024))
    return made
