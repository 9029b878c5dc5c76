"""Packs two files of one name, a wrong one and a right one, so that a checker and a grader may see different ones."""

from __future__ import annotations

import warnings
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("target.py", base)
        archive.writestr("target.py", base.replace("axis=0", "axis=-1"))
    return made
