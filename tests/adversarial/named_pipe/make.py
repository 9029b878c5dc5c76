"""Hands in a named pipe. Whoever opens it waits until somebody writes, which nobody will."""

from __future__ import annotations

import os
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    os.mkfifo(folder / "target.py")
    return folder
