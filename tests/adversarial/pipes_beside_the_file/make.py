"""Hands in an ordinary file and pipes beside it, under names a grader might want to read."""

from __future__ import annotations

import os
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for name in ("README.md", "conftest.py", "pyproject.toml", "target.zip"):
        os.mkfifo(folder / name)
    return folder
