"""A worker that a zygote forked for us."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket as sockets
from pathlib import Path
from typing import Any, NamedTuple

from grader.model.manifest import Limits
from grader.sandbox.allowance import held_to
from grader.sandbox.base import Death, Output
from grader.sandbox.cputime import cpu_seconds
from grader.sandbox.death import death
from grader.sandbox.holding import hold
from grader.sandbox.output import Drain
from grader.sandbox.zygote import Zygote

# How long a killed worker may take to be gone, and the last of its output to be read.
_PATIENCE = 5.0


def fork(zygote: Zygote, number: int, limits: Limits, canary: dict[str, Any] | None = None) -> ForkedWorker:
    """Have a zygote fork a worker, or a canary with its task.

    Raises:
        GraderError: It could not be started or not be locked down.
    """
    with contextlib.ExitStack() as undo:
        ours, theirs = sockets.socketpair()
        undo.callback(ours.close)
        reading, writing = os.pipe()
        undo.callback(os.close, reading)
        with theirs, os.fdopen(writing, "wb", buffering=0):
            pidfd = zygote.fork(number, theirs.fileno(), writing, held_to(limits), canary)
        undo.pop_all()
    return ForkedWorker(Ties(zygote, number, pidfd), ours, Drain(reading, limits.output_kb * 1024), limits)


class Ties(NamedTuple):
    """What connects us to a worker.

    Args:
        zygote: Its parent, which hears how it ended.
        number: The zygote's name for it.
        pidfd: A descriptor of the process, which can mean no other.
    """

    zygote: Zygote
    number: int
    pidfd: int


class ForkedWorker:
    """A process seen through its pidfd, its socket and its output.

    Args:
        ties: What connects us to it.
        socket: The judge's end.
        drain: What reads its output.
        limits: What it may use.
    """

    def __init__(self, ties: Ties, socket: sockets.socket, drain: Drain, limits: Limits) -> None:
        self.socket = socket
        self.killed = False
        self._ties = ties
        self._pid = _process_id(ties.pidfd)
        self._hold = hold(ties.pidfd, self._pid, limits)
        self._drain = drain
        self._limits = limits
        self._death: Death | None = None
        self._cpu = 0.0

    def cpu_seconds(self) -> float:
        """Return the CPU seconds used, as the kernel counts them."""
        if not self.killed and self._death is None:
            with contextlib.suppress(OSError):
                seconds = cpu_seconds(self._pid)
                if not self._is_over(0):  # else the number may be another process's by now
                    self._cpu = seconds
        return self._cpu

    def wait(self, timeout: float) -> Death | None:
        """Return how it ended, or None where it still runs after `timeout` seconds."""
        if self._death is None and not self.killed and self._is_over(timeout):
            self._hear()
        return self._death

    def kill(self) -> None:
        """Kill it and close its socket."""
        if self.killed:
            return
        if self._death is None:
            ours = not self._is_over(0)
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._ties.pidfd, signal.SIGKILL)
            if self._is_over(_PATIENCE):
                self._hear(killed=ours)
        self.killed = True
        self.socket.close()
        if self._death is None:
            self._hold.release()
        os.close(self._ties.pidfd)

    def shares_user(self) -> bool:
        """Whether it is the judge's own user, among processes that it can name: one in a PID namespace of its own can name none."""
        try:
            lines = Path(f"/proc/{self._pid}/status").read_text().splitlines()
        except OSError:
            return True
        fields = dict(line.split(":", 1) for line in lines)
        return int(fields["Uid"].split()[0]) == os.geteuid() and len(fields["NSpid"].split()) == 1

    def output(self) -> Output:
        """Return what it printed."""
        return self._drain.output(patience=0.0 if self._death is None else _PATIENCE)

    def _is_over(self, timeout: float) -> bool:
        # Made anew each time: the alarm of a clock may ask while we wait, and one of these cannot be asked twice at once.
        poll = select.poll()
        poll.register(self._ties.pidfd, select.POLLIN)
        return bool(poll.poll(timeout * 1000))

    def _hear(self, *, killed: bool = False) -> None:
        broken = self._hold.release()
        told = self._ties.zygote.ended(self._ties.number, _PATIENCE)
        if told is None:  # the zygote is gone, and took it along
            self._death = Death("signalled", signal.SIGKILL, *broken)
            return
        self._cpu = told["cpu"]
        self._death = death(told["status"], told["peak"], self._limits, killed=killed, broken=broken)


def _process_id(pidfd: int) -> int:
    """Return the process's number in the judge's own PID namespace."""
    lines = Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("Pid:")))
