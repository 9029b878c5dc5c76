"""Hands in a folder with a link to the root of the file system, and links to devices, beside an ordinary file."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    (folder / "everything").symlink_to("/")
    (folder / "zero.py").symlink_to("/dev/zero")
    return folder
