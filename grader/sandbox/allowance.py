"""What a manifest's limits mean to the kernel."""

from __future__ import annotations

import math
from typing import Any

from grader.model.manifest import Limits
from grader.worker.rlimits import Allowance

MIB = 1 << 20

# The judge times each call; the kernel's limit counts a worker's whole life, so it stands far above what honest calls add up to.
_CPU_CALLS = 60
_CPU_FLOOR = 600
# The folder a worker may write to, where it has one, holds a few of the largest files it may make.
_FILES_IN_BOX = 4


def allowance(limits: Limits) -> Allowance:
    """Turn the limits of an assignment into those a worker takes on."""
    return Allowance(
        memory=limits.memory_mb * MIB,
        cpu_seconds=_CPU_FLOOR + math.ceil(_CPU_CALLS * limits.cpu_seconds),
        file_bytes=limits.file_mb * MIB,
        open_files=limits.open_files,
        processes=limits.processes,
    )


def held_to(limits: Limits) -> dict[str, Any]:
    """Return what a zygote has to know of the limits to hold a worker to them, as data that JSON can carry."""
    return {
        "allowance": allowance(limits),
        "box_bytes": max(1, _FILES_IN_BOX * limits.file_mb) * MIB,  # tmpfs takes 0 for no limit
    }
