"""Packs an archive into an archive, thirty times over."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    content, name = base.encode(), "target.py"
    for level in range(30):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, content)
        content, name = packed.getvalue(), f"level{level}.zip"
    made = folder / "work.zip"
    made.write_bytes(content)
    return made
