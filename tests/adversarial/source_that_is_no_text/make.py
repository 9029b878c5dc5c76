"""Hands in bytes that are no program: null bytes, an encoding that is none, half a character."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_bytes(b"# coding: rot13\n\0\xff\xfe" + base.encode("utf-16"))
    return folder
