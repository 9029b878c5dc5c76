"""What a manifest's limits mean to the kernel."""

from __future__ import annotations

import math

from grader.model.manifest import Limits
from grader.worker.rlimits import Allowance

MIB = 1 << 20

# The judge times each call; the kernel's limit counts a worker's whole life, so it stands far above what honest calls add up to.
_CPU_CALLS = 60
_CPU_FLOOR = 600


def allowance(limits: Limits) -> Allowance:
    """Turn the limits of an assignment into those a worker takes on."""
    return Allowance(
        memory=limits.memory_mb * MIB,
        cpu_seconds=_CPU_FLOOR + math.ceil(_CPU_CALLS * limits.cpu_seconds),
        file_bytes=limits.file_mb * MIB,
        open_files=limits.open_files,
        processes=limits.processes,
    )
