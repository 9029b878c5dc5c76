"""Has a name of bytes that are no text in any encoding in use."""

from __future__ import annotations

import os
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / os.fsdecode(b"\xff\xfe\x80name")
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
