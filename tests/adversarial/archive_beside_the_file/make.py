"""Hands in a wrong file, and beside it an archive and a folder with the right one, so that a search might take the
better.
"""

from __future__ import annotations

import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    right = base.replace("axis=0", "axis=-1")
    (folder / "target.py").write_text(base)
    (folder / "work").mkdir()
    (folder / "work" / "target.py").write_text(right)
    with zipfile.ZipFile(folder / "work.zip", "w") as archive:
        archive.writestr("target.py", right)
    return folder
