"""Hands in a device that never ends, where root builds it; else a link to one."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    try:
        os.mknod(folder / "target.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except (OSError, AttributeError):
        (folder / "target.py").symlink_to("/dev/zero")
    return folder
