"""A worker that is a subprocess of ours."""

from __future__ import annotations

import contextlib
import os
import signal
import socket as sockets
import subprocess
import sys
import time

from grader.model.manifest import Limits
from grader.sandbox.base import Death, Output
from grader.sandbox.cputime import cpu_seconds
from grader.sandbox.death import death
from grader.sandbox.output import Drain

if sys.platform != "win32":
    import resource

_TICK = 0.002

# How long a killed process may take to be gone; one that holds a device in the kernel can take longer than any patience.
_PATIENCE = 10.0


if sys.platform == "win32":

    def start(
        command: list[str], theirs: sockets.socket, output: int, folder: str, environment: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a command that reads from its standard input how to open `theirs`."""
        group = subprocess.CREATE_NEW_PROCESS_GROUP
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            creationflags=group,
        )
        assert process.stdin  # noqa: S101 - it is a pipe: we asked for one
        with process.stdin as pipe:
            pipe.write(theirs.share(process.pid))
        return process

else:

    def start(
        command: list[str], theirs: sockets.socket, output: int, folder: str, environment: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        """Start a command that inherits `theirs` under its number, as the leader of a session of its own."""
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )


class PlainWorker:
    """A subprocess, its socket and its output.

    Args:
        process: Started as the leader of a group of its own.
        socket: The judge's end.
        drain: What reads its output.
        limits: What it may use.
    """

    def __init__(self, process: subprocess.Popen[bytes], socket: sockets.socket, drain: Drain, limits: Limits) -> None:
        self.socket = socket
        self.killed = False
        self._process = process
        self._drain = drain
        self._limits = limits
        self._death: Death | None = None
        self._inherited = 0 if sys.platform == "win32" else _bytes(resource.getrusage(resource.RUSAGE_SELF))
        self._cpu = 0.0

    def cpu_seconds(self) -> float:
        """Return the CPU seconds used, as the kernel counts them."""
        if self._death is None:
            with contextlib.suppress(OSError):
                self._cpu = cpu_seconds(self._process.pid)
        return self._cpu

    def wait(self, timeout: float) -> Death | None:
        """Return how it ended, or None where it still runs after `timeout` seconds."""
        end = time.monotonic() + timeout
        while self._death is None and not self._reap() and time.monotonic() < end:
            time.sleep(_TICK)
        return self._death

    def kill(self) -> None:
        """Kill it with its group and close its socket."""
        if self.killed:
            return
        self.killed = True
        if self._death is None:
            self._kill_group()
            self.wait(_PATIENCE)
        self.socket.close()

    def output(self) -> Output:
        """Return what it printed."""
        return self._drain.output(patience=0.0 if self._death is None else 1.0)

    if sys.platform == "win32":

        def _reap(self) -> bool:
            code = self._process.poll()
            if code is None:
                return False
            self._death = Death("exited", code, memory=False)
            return True

        def _kill_group(self) -> None:
            # taskkill follows the tree of children, which a process handle alone does not.
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(self._process.pid)], check=False, capture_output=True)  # noqa: S607 - Windows finds its own
            self._process.kill()

    else:

        def _reap(self) -> bool:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if not pid:
                return False
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._cpu = usage.ru_utime + usage.ru_stime
            # The kernel counts what we held when we started it as its own: below that, nothing is known of its peak.
            peak = _bytes(usage) if _bytes(usage) > self._inherited else 0
            self._death = death(status, peak, self._limits, killed=self.killed)
            self._kill_group()  # what it started and left behind
            return True

        def _kill_group(self) -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)


if sys.platform != "win32":

    def _bytes(usage: resource.struct_rusage) -> int:
        return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
