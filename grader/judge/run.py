"""`run_suite`: the one way to have a submission judged. Today each judge is a process of its own, spawned."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.model.evidence import Evidence

_GRACE_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.2
_SHOWN = 2000


class Stopped(Exception):  # noqa: N818  # nothing is wrong: the run was asked to stop
    """The run was interrupted while a judge was at work; there is no verdict."""


def run_suite(job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
    """Judge one submission to one assignment.

    A judge that dies, hangs or answers nonsense leaves evidence with a `problem`, which is ours and
    costs the student nothing.

    Args:
        job: What to judge. It goes through a pipe, so that no seed stands in a command line.
        assignment: The assignment.
        stop: When set, the judge is killed.

    Raises:
        Stopped: `stop` was set.
    """
    # In a session of its own, for ^C is the grader's to handle: a judge that it killed would look like a fault.
    with tempfile.TemporaryDirectory(prefix="grader-") as folder, _spawn(folder) as judge:
        try:
            stdout, stderr = _converse(
                judge, job.model_dump_json().encode(), _deadline(assignment), stop or threading.Event()
            )
        except subprocess.TimeoutExpired:
            return _problem(assignment, f"the judge did not end within {_deadline(assignment):.0f} s")
        finally:
            judge.kill()
    try:
        return Evidence.model_validate_json(stdout)
    except ValidationError:
        said = stderr.decode(errors="replace")[-_SHOWN:]
        return _problem(assignment, f"the judge ended with exit code {judge.returncode} and no result: {said}")


def _spawn(folder: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-m", "grader.judge"]
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=_environment(), start_new_session=True
    )


def _converse(
    judge: subprocess.Popen[bytes], asked: bytes, seconds: float, stop: threading.Event
) -> tuple[bytes, bytes]:
    deadline = time.monotonic() + seconds
    question: bytes | None = asked
    while True:
        try:
            return judge.communicate(question, timeout=_LOOK_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            question = None
            if stop.is_set():
                raise Stopped from None
            if time.monotonic() > deadline:
                raise


def _problem(assignment: Assignment, message: str) -> Evidence:
    return Evidence(assignment=assignment.id, problem=message)


def _deadline(assignment: Assignment) -> float:
    """Longer than any run whose calls keep their limits: a net under our own mistakes only."""
    exercises = len(assignment.manifest.exercises)
    return _GRACE_SECONDS + 4 * exercises * assignment.manifest.limits.wall_seconds


def _environment() -> dict[str, str]:
    """The machine's environment without what changes pytest or Python, and with one thread for each library."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    return kept | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
