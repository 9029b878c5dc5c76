"""Which processors may be used, and how much of them was."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.processes import children


@contextmanager
def pinned(number: int) -> Iterator[None]:
    """Keep this thread, and all that it starts, to so many processors: the last ones, for the first have other things to do.

    Raises:
        ValueError: There are not so many.
    """
    had = sorted(os.sched_getaffinity(0))
    if number > len(had):
        raise ValueError(f"this takes {number} processors, and there are {len(had)}")
    os.sched_setaffinity(0, had[-number:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, had)


def spent() -> float:
    """Return the processor time that this process and all below it have used, those that are gone included."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    gone = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + gone.ru_utime + gone.ru_stime + _below(os.getpid())


def _below(process: int) -> float:
    return sum(_of(child.pid) + _below(child.pid) for child in children(process))


def _of(process: int) -> float:
    """What a living process has used, with its children that were waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
