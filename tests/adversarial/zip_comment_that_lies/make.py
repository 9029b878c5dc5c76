"""Carries a second end of the archive in its comment, which leads to other members for whoever looks for the last one."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base)
        archive.comment = b"PK\5\6" + bytes(18) + b"PK\5\6" + b"\xff" * 18
    return made
