"""Hands in a symbolic link to the key of the course, in the hope that the message about its syntax quotes it."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").symlink_to("{{course}}/.seed-key")
    return folder
