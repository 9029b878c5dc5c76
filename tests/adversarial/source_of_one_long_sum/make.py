"""Hands in a sum so long that its syntax tree is as deep as it is long, on which whoever walks the tree recursively
overflows.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base + "\nx = " + "+".join(["1"] * 200_000) + "\n")
    return folder
