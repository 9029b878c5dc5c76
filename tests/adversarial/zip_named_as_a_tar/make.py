"""Names a zip as a compressed tar, so that a program that goes by content and one that goes by name see two things."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.tar.gz"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("target.py", base.replace("axis=0", "axis=-1"))
    return made
