"""What keeps a worker to its memory and its threads from outside, below the limits it took on itself."""

from __future__ import annotations

import select
from threading import Thread
from typing import Protocol

from grader.model.manifest import Limits
from grader.sandbox.base import Broken
from grader.sandbox.cgroups import Group, group
from grader.sandbox.watch import Watch


class Hold(Protocol):
    """A hold on one worker."""

    def release(self) -> Broken:
        """Let go, once, of a worker that is dead or about to be killed, and return what it broke."""
        ...


class GroupHold:
    """A control group that a worker is moved into while it goes on.

    The kernel may take ten milliseconds and more to move a process, for it waits until no processor is in the middle of a fork. A worker has
    its own limits from the start, so nothing is lost by not waiting for that.

    Args:
        made: The group.
        pidfd: A descriptor of the worker, open until it is released.
        pid: Its process id.
        limits: What it may use.
    """

    def __init__(self, made: Group, pidfd: int, pid: int, limits: Limits) -> None:
        self._made = made
        self._pidfd = pidfd
        self._pid = pid
        self._limits = limits
        self._instead: Watch | None = None
        self._thread = Thread(target=self._move, name="worker-group", daemon=True)
        self._thread.start()

    def _move(self) -> None:
        if self._is_over():
            return  # its number may be another's by now
        try:
            self._made.add(self._pid)
        except OSError:
            self._instead = Watch(self._pidfd, self._pid, self._limits)

    def _is_over(self) -> bool:
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(0))

    def release(self) -> Broken:
        """Remove the group, whose worker is gone, and return what was broken."""
        self._thread.join()
        broken = self._made.release()
        return self._instead.release() if self._instead else broken


def hold(pidfd: int, pid: int, limits: Limits) -> Hold:
    """Return the best hold that this machine allows: a control group, else a watcher.

    Args:
        pidfd: A descriptor of the worker, open until it is released.
        pid: Its process id.
        limits: What it may use.
    """
    made = group(limits)
    return GroupHold(made, pidfd, pid, limits) if made else Watch(pidfd, pid, limits)
