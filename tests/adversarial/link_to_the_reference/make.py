"""Hands in a symbolic link in place of its file, which leads to the solution of the course."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").symlink_to("{{course}}/reference/target.py")
    return folder
