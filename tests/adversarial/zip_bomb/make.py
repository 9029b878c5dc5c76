"""Packs a hundred megabytes of blanks into a hundred kilobytes, as its file and as another."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("target.py", "other.py"):
            with archive.open(name, "w") as member:
                member.write(base.encode())
                for _ in range(100):
                    member.write(b" " * (1 << 20))
    return made
