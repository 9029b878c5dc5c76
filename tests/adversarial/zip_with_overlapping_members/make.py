"""Has a thousand names in the table of contents that all stand for the same bytes, each of which inflates anew."""

from __future__ import annotations

import zipfile
from copy import copy as copy_of
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("target.py", base + "#" * (1 << 19))
        for number in range(1000):
            copy = copy_of(archive.getinfo("target.py"))
            copy.filename = copy.orig_filename = f"copy{number}.py"
            archive.filelist.append(copy)
    return made
