"""What a judge cannot do for want of something is a problem that it tells, and no end without a word."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import pytest

from grader.judge import room, session
from grader.judge.job import Job
from grader.judge.room import refuse_a_small_room
from grader.judge.session import judge
from grader.model.errors import GraderError, SandboxUnavailableError
from grader.sandbox.base import Level
from tests.e2e.toy import toy_course


class Refusing:
    """A backend that opens no sandbox."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def open(self, profile):
        raise self._error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(24, "Too many open files"), "the judge could not go on: OSError: [Errno 24] Too many open files"),
        (MemoryError(), "the judge could not go on: MemoryError: "),
        (RuntimeError("can't start new thread"), "the judge could not go on: RuntimeError: can't start new thread"),
        (SandboxUnavailableError("it does not hold"), "it does not hold"),
    ],
)
def test_a_sandbox_that_does_not_open_is_a_problem_of_ours(tmp_path: Path, monkeypatch, error, said) -> None:
    monkeypatch.setitem(session.BACKENDS, Level.NONE, Refusing(error))
    course = toy_course(tmp_path / "course")
    found = judge(Job(assignment=course / "assignments" / "toy", files={"toy.py": b""}, backend=Level.NONE))
    assert (found.problem, found.course_fault, found.assignment) == (said, False, "toy")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(("allowed", "refused"), [(63, True), (64, False), (resource.RLIM_INFINITY, False)])
def test_a_judge_that_may_open_few_files_says_so_before_it_reads_one(monkeypatch, allowed, refused) -> None:
    monkeypatch.setattr(room.resource, "getrlimit", lambda _: (allowed, allowed))
    if refused:
        with pytest.raises(GraderError, match="may open 63 files at once, and needs 64") as caught:
            refuse_a_small_room()
        assert "ulimit" in caught.value.hint
    else:
        refuse_a_small_room()
