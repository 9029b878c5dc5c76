"""Says of its file that it is encrypted, so that a program might stop and ask for the password."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base)
        archive.getinfo("target.py").flag_bits |= 0x1
    return made
