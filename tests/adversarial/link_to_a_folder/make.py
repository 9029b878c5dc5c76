"""Hands in a folder that holds nothing but a link to the folder of another student."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "work").symlink_to("{{class}}/neighbour", target_is_directory=True)
    return folder
