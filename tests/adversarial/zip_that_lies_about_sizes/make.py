"""States in the table of contents that fifty megabytes are ten bytes, so that whoever trusts it takes them all."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("target.py", base + " " * (50 << 20))
        archive.getinfo("target.py").file_size = 10
    return made
