"""Level `none`: a subprocess with limits, for a student's own machine and for systems without more."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import socket as sockets
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.model.errors import GraderError
from grader.sandbox.allowance import allowance
from grader.sandbox.base import GUARANTEES, Isolation, Level, Profile
from grader.sandbox.environment import REPEATABLE
from grader.sandbox.output import Drain
from grader.sandbox.process import PlainWorker, start

PACKAGE = Path(__file__).parents[1]

# What a package imports at its first use of something, here torch for its first gradient: it takes longer than most tests,
# so a worker that waits for its submission has it already.
_LATER = {"torch": ("torch.fx.experimental.symbolic_shapes",)}

# How long an interpreter may take to start and import its packages, torch on a cold and busy disk included.
_PATIENCE = 120.0


class NoneBackend:
    """Starts each worker as a process of its own.

    Args:
        package: The folder of the `grader` package whose worker is started.
    """

    level = Level.NONE

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package

    def unavailable(self) -> str | None:
        """Return None: a subprocess can be had everywhere."""
        return None

    def open(self, profile: Profile) -> NoneSandbox:
        """Open a sandbox; nothing runs before the first fork."""
        return NoneSandbox(profile, self._package)


class NoneSandbox:
    """A folder to work in and the workers started there.

    Args:
        profile: What a worker holds and may use.
        package: The folder of the `grader` package.
    """

    def __init__(self, profile: Profile, package: Path) -> None:
        self.isolation = _isolation()
        self._profile = profile
        self._package = package
        self._workers: list[PlainWorker] = []
        self._folder = tempfile.TemporaryDirectory(prefix="rowwise-", ignore_cleanup_errors=True)

    def fork(self) -> PlainWorker:
        """Start a worker and wait until it stands.

        Raises:
            GraderError: It ended before it could serve.
        """
        worker = self.begin()
        self.await_standing(worker)
        return worker

    def begin(self, *, ahead: bool = False) -> PlainWorker:
        """Start a worker, and do not wait until it stands: it is of no use before `await_standing`.

        Args:
            ahead: Whether it has time to import what may be needed later.
        """
        limits = self._profile.limits
        with contextlib.ExitStack() as undo:
            ours, theirs = sockets.socketpair()
            undo.callback(ours.close)
            reading, writing = os.pipe()
            undo.callback(os.close, reading)
            with theirs, os.fdopen(writing, "wb", buffering=0):
                process = start(
                    self._command(theirs, ahead=ahead), theirs, writing, self._fresh_folder(), _environment()
                )
            undo.pop_all()
        worker = PlainWorker(process, ours, Drain(reading, limits.output_kb * 1024), limits)
        self._workers = [other for other in self._workers if not other.killed] + [worker]
        return worker

    @staticmethod
    def await_standing(worker: PlainWorker) -> None:
        """Wait until a worker stands that was begun.

        Raises:
            GraderError: It ended before it could serve.
        """
        _await_first_byte(worker)

    def _command(self, theirs: sockets.socket, *, ahead: bool) -> list[str]:
        later = [name for package in self._profile.packages for name in _LATER.get(package, ())]
        task = {
            "descriptor": theirs.fileno(),
            "package": str(self._package),
            "packages": self._profile.packages,
            "later": later if ahead else [],
            "allowance": allowance(self._profile.limits),
            # The signal follows the thread that started the worker, which may end before the judge does unless it is the main one.
            "judge": os.getpid() if threading.current_thread() is threading.main_thread() else None,
        }
        return [sys.executable, "-P", "-s", str(Path(__file__).with_name("child.py")), json.dumps(task)]

    def _fresh_folder(self) -> str:
        return tempfile.mkdtemp(dir=self._folder.name)

    def close(self) -> None:
        """Kill every worker and remove the folder."""
        for worker in self._workers:
            worker.kill()
        self._workers = []
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return inherited | REPEATABLE


def _await_first_byte(worker: PlainWorker) -> None:
    worker.socket.settimeout(_PATIENCE)
    try:
        stands = worker.socket.recv(1)
    except OSError:
        stands = b""
    if not stands:
        worker.kill()
        said = worker.output().text.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise GraderError(
            f"a worker could not be started: {said[-1]}", hint="run `grader doctor`; is the environment complete?"
        )
    worker.socket.settimeout(None)


def _isolation() -> Isolation:
    posix = sys.platform != "win32"
    held = {"time": True, "cpu": posix, "memory": sys.platform == "linux"}
    findings = [
        "the worker is an ordinary process of yours: it can read and write your files, and reach the network and your other processes",
        "it is killed with its process group; a process that left the group would live on",
    ]
    if not held["memory"]:
        findings.append(f"{platform.system()} holds no limit of memory")
    guarantees = {name: held.get(name, False) for name in GUARANTEES}
    return Isolation(Level.NONE, guarantees, tuple(findings), platform.release(), landlock_abi=0)
