"""Hands in a program whose brackets are nested so deep that a parser which recurses overflows, before any of it runs."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    deep = "(" * 100_000 + ")" * 100_000
    (folder / "target.py").write_text(f"{base}\nx = {deep}\n")
    return folder
