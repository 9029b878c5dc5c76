"""Megabytes: of this process, of those below it, and of a gradebook."""

from __future__ import annotations

import os
from pathlib import Path

from tests.faults.processes import children

_MB = 1e6


def own() -> float:
    """Return what this process has in memory of its own; what it maps of files is anybody's."""
    return _field(Path("/proc/self/status"), "RssAnon")


def share_below() -> float:
    """Return what all processes below this one have in memory, what they share counted once."""
    return _share(os.getpid())


def gradebook(file: Path) -> float:
    """Return what a gradebook takes on disk, what is not yet in its place included."""
    parts = [file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))]
    return sum(part.stat().st_size for part in parts if part.exists()) / _MB


def _share(process: int) -> float:
    below = children(process)
    return sum(_field(Path(f"/proc/{child.pid}/smaps_rollup"), "Pss") + _share(child.pid) for child in below)


def _field(path: Path, name: str) -> float:
    """A number of kilobytes out of a file of the kernel's; 0 of a process that is gone."""
    try:
        lines = path.read_text("ascii", "replace").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) * 1024 / _MB
