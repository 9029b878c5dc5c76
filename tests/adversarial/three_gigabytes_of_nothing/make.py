"""Hands in a file that claims three gigabytes and takes no room on the disk, for it is one long hole."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    with (folder / "target.py").open("w") as file:
        file.write(base)
        file.truncate(3 << 30)
    return folder
