"""The processes of a run, as /proc shows them, and a way to kill exactly the one that is meant."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 20.0


class Process(NamedTuple):
    """A process: its number, and when it started, for numbers are given again."""

    pid: int
    started: int


def alive(pid: int) -> Process | None:
    """The process of that number, unless it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else Process(pid, int(fields[19]))


def children_by_thread(pid: int) -> dict[int, list[int]]:
    """The children of a process, by the thread that started them."""
    found = {}
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found[int(path.parent.name)] = [int(child) for child in path.read_text("ascii").split()]
    return found


def children(pid: int) -> list[Process]:
    """The living children of a process."""
    return [found for each in children_by_thread(pid).values() for child in each if (found := alive(child))]


def arguments(pid: int) -> list[bytes]:
    """The words of a process's command line."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]
    except OSError:
        return []


def kill(process: Process) -> bool:
    """Kill a process; say whether it was there to be killed."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        if alive(process.pid) != process:
            return False
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def adopt_orphans() -> None:
    """Become the parent of whatever loses its own below here, so that nothing that lives on can hide."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def left_over() -> list[Process]:
    """What still lives below this process, after a while in which everything that was told to end can do so."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        living = children(os.getpid())
        if not living or time.monotonic() > deadline:
            return living
        time.sleep(0.05)
