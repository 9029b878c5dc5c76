"""Puts one archive behind another, so that it depends on the end from which it is read what it holds."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    parts = []
    for text in (base.replace("axis=0", "axis=-1"), base):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("target.py", text)
        parts.append(packed.getvalue())
    made = folder / "work.zip"
    made.write_bytes(b"".join(parts))
    return made
