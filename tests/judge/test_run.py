"""Whatever becomes of a judge is a problem of ours, told in a line, and nothing of it is left on the machine."""

from __future__ import annotations

import base64
import contextlib
import errno
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from grader.course.assignment import Assignment, load_assignment
from grader.judge import run
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.evidence import Evidence
from grader.model.verdict import Status
from grader.sandbox.base import Level
from tests.e2e.toy import toy_course
from tests.faults.processes import Process, arguments, children, kill

RIGHT = b"def double(x):\n    return 2 * x\n"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture
def toy(tmp_path: Path) -> Assignment:
    return load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy")


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own, which must be empty afterwards."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def judge(toy: Assignment, source: bytes = RIGHT, level: Level = Level.NONE) -> Evidence:
    return run_suite(Job(assignment=toy.folder, files={"toy.py": base64.b64encode(source)}, backend=level), toy)


def judges() -> list[Process]:
    return [child for child in children(os.getpid()) if arguments(child.pid)[-1:] == [b"grader.judge"]]


@contextlib.contextmanager
def meanwhile(act: Callable[[Process], bool]):
    """Look for the judge, and act on it until that succeeds."""

    def watch() -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(act(each) for each in judges()):
            time.sleep(0.002)

    thread = threading.Thread(target=watch)
    thread.start()
    yield
    thread.join()


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3, 0.6])
def test_a_judge_that_is_killed_gives_no_verdict_and_leaves_nothing(toy, temp, after) -> None:
    def late(process: Process) -> bool:
        time.sleep(after)
        return kill(process)

    # The submission sleeps, so that its judge is there to be killed.
    with meanwhile(late):
        evidence = judge(toy, b"import time\ntime.sleep(1.5)\n" + RIGHT)
    assert evidence.problem == "the judge was killed by SIGKILL and gave no result: it said nothing"
    assert not evidence.tests
    assert list(temp.iterdir()) == []


def test_what_a_judge_puts_on_disk_goes_with_it(toy, temp, monkeypatch) -> None:
    """All of it lies in the judge's own folder: there a judge that is killed cannot leave a file."""
    script = "import pathlib, tempfile; print(tempfile.gettempdir() == str(pathlib.Path.cwd())); tempfile.mkdtemp()"
    start = subprocess.Popen
    monkeypatch.setattr(
        run.subprocess, "Popen", lambda command, **options: start([sys.executable, "-c", script], **options)
    )
    assert "ended with exit code 0 and gave no result" in judge(toy).problem
    assert list(temp.iterdir()) == []


def test_a_temporary_folder_that_is_gone_is_told(toy, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    assert judge(toy).problem.startswith("no judge could be had: FileNotFoundError: ")


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.EAGAIN])
def test_a_machine_that_starts_no_process_is_told(toy, temp, monkeypatch, number) -> None:
    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(run.subprocess, "Popen", refuse)
    assert os.strerror(number) in judge(toy).problem
    assert list(temp.iterdir()) == []


@pytest.mark.parametrize("allowed", [4, 8, 16, 32, 63, 64, 256])
@pytest.mark.parametrize("level", [Level.NONE, Level.FULL])
def test_a_judge_with_few_descriptors_gives_the_right_verdict_or_none(toy, monkeypatch, allowed, level) -> None:
    if level is Level.FULL and (reason := run_level_full()):
        pytest.skip(reason)
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (allowed, allowed))
    monkeypatch.setattr(run.subprocess, "Popen", partial(subprocess.Popen, preexec_fn=limit))
    evidence = judge(toy, level=level)
    assert not evidence.course_fault, evidence.problem
    if evidence.problem is None:
        assert allowed >= 64
        assert {test.status for test in evidence.tests} == {Status.PASSED}
    else:
        assert allowed < 64


def run_level_full() -> str | None:
    from grader.sandbox.full import FullBackend

    return FullBackend().unavailable()


def test_a_job_longer_than_a_pipe_holds_reaches_a_judge_that_is_slow_to_start(
    toy: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_LOOK_EVERY_SECONDS", 0.001)
    source = RIGHT + b"# " + b"x" * 300_000
    found = run_suite(Job(assignment=toy.folder, files={"toy.py": base64.b64encode(source)}, backend=Level.NONE), toy)
    assert found.problem is None
    assert {test.status for test in found.tests} == {Status.PASSED}
