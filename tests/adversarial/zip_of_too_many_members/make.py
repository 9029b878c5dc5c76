"""Packs twenty thousand empty members, whose table of contents is larger than all they hold."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base)
        for number in range(20_000):
            archive.writestr(zipfile.ZipInfo(f"{number}"), b"")
    return made
