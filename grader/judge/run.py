"""`run_suite`: a submission is judged by a process of its own, spawned. `grader.judge.warm` has judges that are not cold."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.model.evidence import Evidence

_GRACE_SECONDS = 60.0
_LOOK_EVERY_SECONDS = 0.2
_SHOWN = 2000


RunSuite = Callable[[Job, Assignment, threading.Event | None], Evidence]


class Stopped(Exception):  # noqa: N818  # nothing is wrong: the run was asked to stop
    """The run was interrupted while a judge was at work; there is no verdict."""


def run_suite(job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
    """Judge one submission to one assignment.

    A judge that cannot be started, dies, hangs or answers nonsense leaves evidence with a `problem`, which is ours
    and costs the student nothing.

    Args:
        job: What to judge. It goes through a pipe, so that no seed stands in a command line.
        assignment: The assignment.
        stop: When set, the judge is killed.

    Raises:
        Stopped: `stop` was set.
    """
    asked = job.model_dump_json().encode()
    try:
        with judge_folder() as folder, _spawn(folder) as judge:
            try:
                stdout, stderr = _converse(judge, asked, deadline(assignment), stop or threading.Event())
            finally:
                judge.kill()
    except subprocess.TimeoutExpired:
        return _problem(assignment, f"the judge did not end within {deadline(assignment):.0f} s")
    except (OSError, MemoryError) as error:
        return _problem(assignment, f"no judge could be had: {type(error).__name__}: {error}")
    try:
        return Evidence.model_validate_json(stdout)
    except ValidationError:
        said = stderr.decode(errors="replace").strip()[-_SHOWN:] or "it said nothing"
        return _problem(assignment, f"the judge {ending(judge.returncode)} and gave no result: {said}")


@contextlib.contextmanager
def judge_folder() -> Iterator[str]:
    """A folder for all that a judge puts on disk: what a judge that is killed leaves there goes with it."""
    with tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True) as folder:
        # A sandbox shows by a file in it what its workers cannot reach; our own mode must not be what keeps them out.
        Path(folder).chmod(0o711)
        yield folder


def _spawn(folder: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-I", "-m", "grader.judge"]
    surroundings = environment() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
    # In a session of its own, for ^C is the grader's to handle: a judge that it killed would look like a fault.
    return subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=surroundings, start_new_session=True
    )


def _converse(
    judge: subprocess.Popen[bytes], asked: bytes, seconds: float, stop: threading.Event
) -> tuple[bytes, bytes]:
    deadline = time.monotonic() + seconds
    with _told(judge, asked):
        while True:
            try:
                return judge.communicate(timeout=_LOOK_EVERY_SECONDS)
            except subprocess.TimeoutExpired:
                if stop.is_set():
                    raise Stopped from None
                if time.monotonic() > deadline:
                    raise


@contextlib.contextmanager
def _told(judge: subprocess.Popen[bytes], asked: bytes) -> Iterator[None]:
    """Write to the judge's input beside whatever else goes on: what is longer than a pipe holds waits for a judge that reads.

    `communicate` would do it, but not when it is called again after a time-out: it then forgets the rest.
    """
    pipe, judge.stdin = judge.stdin, None
    assert pipe  # noqa: S101  # it was asked for

    def write() -> None:
        with contextlib.suppress(OSError), pipe:  # a judge that is gone is seen by its exit code
            pipe.write(asked)

    writer = threading.Thread(target=write, name="judge-input")
    writer.start()
    try:
        yield
    except BaseException:
        judge.kill()
        raise
    finally:
        writer.join()


def ending(code: int) -> str:
    """Return how a process ended, in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _problem(assignment: Assignment, message: str) -> Evidence:
    return Evidence(assignment=assignment.id, problem=message)


def deadline(assignment: Assignment) -> float:
    """Longer than any run whose calls keep their limits: a net under our own mistakes only.

    An exercise's calls may take three times the limit of one, and the last of them begins before that is used up: it may have to import
    first, and once in a submission both are tried again.
    """
    exercises = len(assignment.manifest.exercises)
    return _GRACE_SECONDS + (5 * exercises + 2) * assignment.manifest.limits.wall_seconds


def environment() -> dict[str, str]:
    """The machine's environment without what changes pytest or Python, and with one thread for each library."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    return kept | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
