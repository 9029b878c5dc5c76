"""Hands in files that say they are RAR and 7-Zip archives, so that a helper program might be called for them."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.rar"
    made.write_bytes(b"Rar!\x1a\x07\x01\x00" + base.encode())
    return made
