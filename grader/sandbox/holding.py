"""What keeps a worker to its memory and its threads from outside, below the limits it took on itself."""

from __future__ import annotations

from typing import Protocol

from grader.model.manifest import Limits
from grader.sandbox.base import Broken
from grader.sandbox.cgroups import group
from grader.sandbox.watch import Watch


class Hold(Protocol):
    """A hold on one worker."""

    def release(self) -> Broken:
        """Let go, once, of a worker that is dead or about to be killed, and return what it broke."""
        ...


def hold(pidfd: int, pid: int, limits: Limits) -> Hold:
    """Return the best hold that this machine allows: a control group, else a watcher.

    Args:
        pidfd: A descriptor of the worker, open until it is released.
        pid: Its process id.
        limits: What it may use.
    """
    made = group(limits)
    if made:
        try:
            made.add(pid)
        except OSError:
            made.release()
        else:
            return made
    return Watch(pidfd, pid, limits)
