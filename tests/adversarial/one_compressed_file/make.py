"""Hands in one file compressed by gzip, which inflates to a hundred megabytes, under the name of its file."""

from __future__ import annotations

import gzip
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    with gzip.open(folder / "target.py.gz", "wb") as packed:
        for _ in range(100):
            packed.write(b" " * (1 << 20))
    return folder
