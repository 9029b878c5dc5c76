"""Hands in a symbolic link in place of its file, which leads to the right answer of another student."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").symlink_to("{{class}}/neighbour/target.py")
    return folder
