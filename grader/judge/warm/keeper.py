"""The keeper of an assignment: it has collected the suites, waits in pytest's loop, and forks a judge for each job."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import shutil
import signal
import socket
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import NoReturn

from grader.course.assignment import Assignment
from grader.judge.collect import refuse_faults, run_pytest
from grader.judge.job import Job
from grader.judge.memory import limit_memory, own_data
from grader.judge.plugin import JudgePlugin, Runner
from grader.judge.prepared import Prepared
from grader.judge.room import refuse_a_small_room
from grader.judge.session import Session, environment, fault
from grader.judge.warm.post import receive, send
from grader.judge.warm.rehearsal import rehearse
from grader.judge.warm.threads import refuse_threads
from grader.judge.warm.words import Ended
from grader.model.errors import GraderError
from grader.model.evidence import Evidence
from grader.model.manifest import Manifest
from grader.model.verdict import Suite
from grader.sandbox.base import Profile
from grader.sandbox.forking import ForkingSandbox, LentSandbox
from grader.worker import kernel, pages


def become(name: str, parent: int) -> None:
    """Take a name that a list of processes shows, and have the kernel end this process with its parent.

    What a grader that was killed leaves behind so ends at once.
    """
    with contextlib.suppress(OSError):
        kernel.rename(name)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def keep(
    connection: socket.socket, assignment: Assignment, suites: Sequence[Suite], sandbox: ForkingSandbox, turn: int
) -> NoReturn:
    """Judge whatever comes until the grader is gone.

    Args:
        connection: Where jobs come from, and evidence goes to.
        assignment: The assignment.
        suites: What is collected.
        sandbox: Where workers come from.
        turn: How many keepers there were before, this one included.
    """
    keeper = _Keeper(connection, sandbox, turn)
    try:
        prepared = Prepared(assignment)
        prepared.ready()
        environment()
        plugin = JudgePlugin(
            assignment.manifest, lambda: keeper.runner(prepared), lambda code: keeper.finish(assignment, plugin, code)
        )
        run_pytest(assignment, suites, plugin)
    except (GraderError, OSError, MemoryError, RuntimeError) as error:
        if keeper.judging:
            keeper.tell(error)
        keeper.refuse(error)
    keeper.refuse(GraderError("the suites ended before there was anything to judge"))


class _Keeper:
    """Waits for jobs; in a copy of this process, a judge of one of them."""

    def __init__(self, connection: socket.socket, sandbox: ForkingSandbox, turn: int) -> None:
        self.judging = False
        self._connection = connection
        self._sandbox = sandbox
        # Keepers and their judges number their workers apart from one another.
        self._turns = iter(range(turn * 100_000, (turn + 1) * 100_000))
        self._data = 0
        self._answer = -1
        self._job: Job | None = None
        self._session: Session | None = None

    def runner(self, prepared: Prepared) -> Runner:
        """Wait for jobs, and return in the process of a judge, with what runs its tests."""
        keeper = os.getpid()
        folder = _folder()
        self._data = own_data()
        for served in count():
            job = self._next()
            if served == 1:
                with contextlib.suppress(GraderError):  # each judge whose submission is wrong meets it, and tells it
                    prepared.warm()
                self._rehearse(prepared.manifest)
                with contextlib.suppress(OSError):
                    pages.gather(pages.spans(Path("/proc/self/maps").read_bytes()))
            gc.freeze()  # what is shared with the judges is never written to by their collector
            turn = next(self._turns)
            reading, writing = os.pipe()
            pid = os.fork()
            if not pid:
                become("judge", keeper)
                os.close(reading)
                return self._begin(job, prepared, writing, folder, turn)
            os.close(writing)
            self._report(reading, pid)
            if any(Path(folder).iterdir()):  # most judges leave nothing there
                shutil.rmtree(folder, ignore_errors=True)
                folder = _folder()
        raise AssertionError("there is always a next job, or an end")

    def _rehearse(self, manifest: Manifest) -> None:
        with contextlib.suppress(
            GraderError, OSError
        ):  # where there is no worker to be had, each judge meets it, and tells it
            rehearse(self._sandbox.lent(manifest.limits, next(self._turns)), manifest.allowed_imports, manifest.limits)
        refuse_threads()

    def _begin(self, job: Job, prepared: Prepared, answer: int, folder: str, turn: int) -> Runner:
        self.judging, self._answer, self._job = True, answer, job
        self._connection.close()
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder))
        tempfile.tempdir = folder
        os.chdir(folder)

        def opening(profile: Profile) -> LentSandbox:
            return self._sandbox.lent(profile.limits, turn)

        try:
            limit_memory(self._data, prepared.manifest.limits)
            refuse_a_small_room()
            self._session = Session(job, prepared, opening)
        except (GraderError, OSError, MemoryError, RuntimeError) as error:
            self.tell(error)
        return self._session.runner

    def finish(self, assignment: Assignment, plugin: JudgePlugin, exit_code: int) -> None:
        """Give the evidence, when pytest's loop is over, and end: pytest's own tidying up would take as long as five tests."""
        if self._session is None:  # the suites could not be collected, which is told of every job
            return
        try:
            refuse_faults(assignment, plugin, exit_code)
            with self._session as session:
                evidence = session.evidence(plugin)
        except (GraderError, OSError, MemoryError, RuntimeError) as error:
            self.tell(error)
        self._give(evidence)

    def tell(self, error: Exception) -> NoReturn:
        """Give a fault of ours for evidence, and end."""
        assert self._job  # noqa: S101  # only a judge tells
        if self._session:
            with contextlib.suppress(GraderError, OSError):
                self._session.__exit__(None, None, None)
        self._give(fault(self._job, error))

    def _give(self, evidence: Evidence) -> NoReturn:
        with os.fdopen(self._answer, "wb") as stream:
            stream.write(evidence.model_dump_json().encode())
        os._exit(0)

    def refuse(self, error: Exception) -> NoReturn:
        """Answer every job with the fault that keeps the suites from being run."""
        while True:
            job = self._next()
            self._send(fault(job, error).model_dump_json().encode())

    def _next(self) -> Job:
        asked = receive(self._connection)
        if asked is None:
            os._exit(0)
        return Job.model_validate_json(asked)

    def _report(self, reading: int, pid: int) -> None:
        """Hand on what a judge says, and how it ended."""
        with os.fdopen(reading, "rb") as stream:
            said = stream.read()
        _, status = os.waitpid(pid, 0)
        self._send(said, status)

    def _send(self, said: bytes, status: int = 0) -> None:
        ended = Ended(status=status, size=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        try:
            send(self._connection, ended.model_dump_json().encode())
            send(self._connection, said)
        except OSError:
            os._exit(0)


def _folder() -> str:
    """A folder for all that a judge puts on disk; others may pass through, so that it is no mode of ours that keeps workers out."""
    folder = tempfile.mkdtemp(prefix="judge-")
    Path(folder).chmod(0o711)
    return folder
