"""How a worker ended, read from what its parent was told."""

from __future__ import annotations

import os
import signal

from grader.model.manifest import Limits
from grader.sandbox.allowance import MIB
from grader.sandbox.base import Broken, Death

UNBROKEN = Broken(memory=False, processes=False)

# What a process dies of when memory is refused where no MemoryError can be raised: a stack, a C++ allocation, the kernel's own killer.
_REFUSED = {getattr(signal, name, None) for name in ("SIGKILL", "SIGSEGV", "SIGBUS", "SIGABRT")}

# Pages counted as resident trail what was asked for, so a death this near the limit counts as one by memory.
_NEAR = 0.9


def death(status: int, peak_bytes: int, limits: Limits, *, killed: bool, broken: Broken = UNBROKEN) -> Death:
    """Read a wait status.

    Args:
        status: As wait4(2) gives it.
        peak_bytes: The most memory that was resident at once.
        limits: What the worker was allowed.
        killed: Whether we killed it ourselves, which then is no death by memory.
        broken: The limits that it was seen to break.
    """
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return Death("exited", code, memory=False)
    full = peak_bytes >= _NEAR * limits.memory_mb * MIB
    inferred = full and not killed and -code in _REFUSED
    return Death("signalled", -code, memory=inferred or broken.memory, processes=broken.processes)
