"""A watcher over a worker's resident memory and threads, where no control group holds them."""

from __future__ import annotations

import signal
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from grader.model.manifest import Limits
from grader.sandbox.allowance import MIB
from grader.sandbox.base import Broken
from grader.sandbox.death import UNBROKEN

# How far a worker can get between two looks is what its limit of address space allows anyway.
_EVERY_SECONDS = 0.02


class Watch:
    """Kills a worker that has more than its limits; the thread ends with it.

    Args:
        pidfd: A descriptor of the worker, open until `release`.
        pid: Its process id.
        limits: What it may use.
    """

    def __init__(self, pidfd: int, pid: int, limits: Limits) -> None:
        self._broken = UNBROKEN
        self._pidfd = pidfd
        self._status = Path(f"/proc/{pid}/status")
        self._limits = limits
        self._inherited = self._look()[0]
        self._over = Event()
        self._thread = Thread(target=self._run, name="worker-watch", daemon=True)
        self._thread.start()

    def release(self) -> Broken:
        """End the watch, before the worker's descriptor is closed, and return what it saw broken."""
        self._over.set()
        self._thread.join()
        return self._broken

    def _run(self) -> None:
        while not self._over.wait(_EVERY_SECONDS):
            resident, threads = self._look()
            over = resident - self._inherited > self._limits.memory_mb * MIB
            broken = Broken(memory=over, processes=threads > self._limits.processes)
            if any(broken):
                self._broken = broken
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
                return

    def _look(self) -> tuple[int, int]:
        """Return resident bytes and threads; nothing of a process that is gone."""
        try:
            fields = dict(line.split(":", 1) for line in self._status.read_text().splitlines())
            return int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"])
        except (OSError, KeyError):
            return 0, 0
