"""Hands in a file that is a link to itself, and folders that lead to each other."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").symlink_to("target.py")
    (folder / "there").symlink_to("back")
    (folder / "back").symlink_to("there")
    return folder
