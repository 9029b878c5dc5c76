"""Hands in a package with the right answer beside the file with a wrong one. Python prefers a package where it looks in
a folder.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    (folder / "target").mkdir()
    (folder / "target" / "__init__.py").write_text(base.replace("axis=0", "axis=-1"))
    return folder
