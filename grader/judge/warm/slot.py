"""A slot: one server with its keepers, as the grader holds it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import Stopped, deadline, ending, environment, judge_folder
from grader.judge.warm.post import receive, send
from grader.judge.warm.words import Ended, Had, Wanted
from grader.model.evidence import Evidence
from grader.model.verdict import Suite
from grader.sandbox.base import Level

_LOOK_EVERY_SECONDS = 0.2
_START_SECONDS = 180.0  # torch on a cold and busy disk, twice
_SHOWN = 2000
# A keeper makes way for a fresh one after so many jobs, or when it has grown by so much: whatever leaks has an end.
_MOST_JOBS = 1000
_MOST_GROWTH = 1.5


class GoneError(Exception):
    """The server or a keeper is gone, or does not answer. The slot has to begin anew."""


class _Key(NamedTuple):
    folder: Path
    suites: tuple[Suite, ...]
    backend: str


class _Keeper:
    """A keeper, as the grader holds it."""

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self.connection = connection
        self.pid = pid
        self.jobs = 0
        self.first_size = 0

    def has_grown(self, size: int) -> bool:
        """Whether it should make way for a fresh one, now that it has judged once more."""
        self.jobs += 1
        self.first_size = self.first_size or size
        return self.jobs >= _MOST_JOBS or size > _MOST_GROWTH * self.first_size


class Slot:
    """Judges one submission at a time. Whatever happens to its processes, the next submission finds fresh ones.

    Args:
        processor: The one that its processes keep to; any, where none is given.
    """

    def __init__(self, processor: int | None = None) -> None:
        self._processor = processor
        self._kept = contextlib.ExitStack()
        self._said: BinaryIO | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._keepers: dict[_Key, _Keeper] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
        """Judge one submission to one assignment; see `grader.judge.run.run_suite`.

        Raises:
            Stopped: `stop` was set.
        """
        waiting = _Waiting(stop or threading.Event(), time.monotonic() + deadline(assignment) + _START_SECONDS)
        try:
            return self._judged(job, waiting)
        except TimeoutError:
            self.close()
            return Evidence(
                assignment=assignment.id, problem=f"the judge did not end within {deadline(assignment):.0f} s"
            )
        except GoneError as error:
            problem = f"{error}: {self._words()}"
            self.close()
            return Evidence(assignment=assignment.id, problem=problem)
        except (OSError, MemoryError) as error:
            self.close()
            return Evidence(assignment=assignment.id, problem=f"no judge could be had: {type(error).__name__}: {error}")
        except BaseException:
            self.close()
            raise

    def _judged(self, job: Job, waiting: _Waiting) -> Evidence:
        key = _Key(job.assignment, tuple(job.suites), job.backend)
        keeper = self._keepers.get(key)
        if keeper is None:
            had = self._keeper(key, waiting)
            if had.problem:
                return Evidence(assignment=job.assignment.name, problem=had.problem, course_fault=had.course_fault)
            keeper = self._keepers[key]
        keeper.connection.settimeout(None)
        _send(keeper.connection, job.model_dump_json().encode())
        ended = Ended.model_validate_json(waiting.answer(keeper.connection, "the judge's keeper"))
        said = waiting.answer(keeper.connection, "the judge's keeper")
        if keeper.has_grown(ended.size):
            self._keepers.pop(key).connection.close()
        return self._fresh_after(self._evidence(said, ended.status))

    def _fresh_after(self, found: Evidence) -> Evidence:
        """Begin anew after a fault of ours: it may be that of a zygote, which the next submission would meet again."""
        if found.problem is not None and not found.course_fault:
            self.close()
        return found

    def _evidence(self, said: bytes, status: int) -> Evidence:
        try:
            if status == 0:
                return Evidence.model_validate_json(said)
        except ValidationError:
            pass
        # Its workers may live: the zygotes go too.
        raise GoneError(f"the judge {ending(os.waitstatus_to_exitcode(status))} and gave no result")

    def _keeper(self, key: _Key, waiting: _Waiting) -> Had:
        control = self._control or self._start()
        ours, theirs = socket.socketpair()
        with theirs:
            wanted = Wanted(assignment=key.folder, suites=list(key.suites), backend=Level(key.backend))
            _send(control, wanted.model_dump_json().encode(), (theirs.fileno(),))
        try:
            had = Had.model_validate_json(waiting.answer(control, "the server of judges"))
        except BaseException:
            ours.close()
            raise
        if had.problem:
            ours.close()
        else:
            self._keepers[key] = _Keeper(ours, had.pid)
        return had

    def _start(self) -> socket.socket:
        folder = self._kept.enter_context(judge_folder())
        self._said = self._kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # closed with the rest
        ours, theirs = socket.socketpair()
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-I", "-m", "grader.judge.warm", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                cwd=folder,
                env=environment() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._settle(self._server.pid)
        self._control = ours
        return ours

    if sys.platform == "linux":

        def _settle(self, server: int) -> None:
            if self._processor is not None:
                with contextlib.suppress(
                    OSError
                ):  # it may have been taken away, or the server have ended: that is told below
                    os.sched_setaffinity(server, {self._processor})

    else:

        def _settle(self, server: int) -> None:
            """Leave it to the system."""

    def _words(self) -> str:
        if self._said is None:
            return "it said nothing"
        self._said.seek(0)
        return self._said.read().decode(errors="replace").strip()[-_SHOWN:] or "it said nothing"

    def close(self) -> None:
        """End all of its processes. A later `run` begins anew."""
        for keeper in self._keepers.values():
            keeper.connection.close()
            _kill_group(keeper.pid)
        self._keepers = {}
        if self._control is not None:
            self._control.close()
        if self._server is not None:
            _kill_group(self._server.pid)
            self._server.wait()
        self._kept.close()
        self._said = self._server = self._control = None


class _Waiting:
    """Waits for answers until a deadline, or until the run is stopped."""

    def __init__(self, stop: threading.Event, until: float) -> None:
        self._stop = stop
        self._until = until

    def answer(self, connection: socket.socket, who: str) -> bytes:
        """Return the next message.

        Raises:
            Stopped: The run was stopped.
            TimeoutError: The deadline is over.
            GoneError: The other side is gone.
        """
        connection.settimeout(_LOOK_EVERY_SECONDS)
        while not _readable(connection):
            if self._stop.is_set():
                raise Stopped
            if time.monotonic() > self._until:
                raise TimeoutError
        connection.settimeout(None)
        message = receive(connection)
        if message is None:
            raise GoneError(f"{who} ended")
        return message


def _readable(connection: socket.socket) -> bool:
    try:
        connection.recv(1, socket.MSG_PEEK)
    except TimeoutError:
        return False
    return True


def _send(connection: socket.socket, content: bytes, descriptors: tuple[int, ...] = ()) -> None:
    try:
        send(connection, content, descriptors)
    except ConnectionError as error:
        raise GoneError("the judge was gone before it was asked") from error


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
