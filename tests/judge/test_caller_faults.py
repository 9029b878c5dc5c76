"""A call that could not be made is no answer of the submission's: the judge is told, and so is whoever asked."""

from __future__ import annotations

import errno

import numpy as np
import pytest

from grader.judge.caller import WorkerCaller
from grader.judge.link import KilledError
from grader.judge.record import Outcome, Request
from grader.model.errors import CourseError, GraderError
from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError
from tests.model.toy import exercise, manifest

REQUEST = Request("double", (np.ones(2),))


class NoRoom:
    """A sandbox that cannot start a worker."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def fork(self):
        raise self._error


def caller(error: Exception) -> WorkerCaller:
    return WorkerCaller(
        NoRoom(error), {"toy.py": b""}, manifest(exercise("toy.double", names=["double"])), lambda _: 0.0
    )  # type: ignore[arg-type] # a stand-in


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EMFILE, "Too many open files"), MemoryError(), RuntimeError("can't start new thread")],
    ids=["descriptors", "memory", "threads"],
)
def test_what_the_judge_ran_out_of_is_a_fault_of_ours(error) -> None:
    asked = caller(error)
    with pytest.raises(GraderError, match="a call could not be made"):
        asked.call(REQUEST)
    assert type(error).__name__ in str(asked.fault)


def test_a_sandbox_that_refuses_is_kept_as_the_fault_it_is() -> None:
    refused = CourseError("cannot be arranged")
    asked = caller(refused)
    with pytest.raises(CourseError):
        asked.call(REQUEST)
    assert asked.fault is refused


def test_what_the_submission_did_is_none(monkeypatch) -> None:
    asked = caller(StudentError(Status.CRASHED, Cause(message="gone")))
    with pytest.raises(StudentError):
        asked.call(REQUEST)
    assert asked.fault is None
    assert not asked.killed


@pytest.mark.parametrize("times", [1, 2])
def test_a_worker_that_was_killed_is_tried_once_more_and_remembered(monkeypatch, times) -> None:
    asked = caller(AssertionError("no worker is started here"))
    killed = [KilledError(Status.CRASHED, Cause(message="ended by signal 9"))] * times

    def called(*_):
        if killed:
            raise killed.pop()
        return Outcome(1.0)

    monkeypatch.setattr(asked, "_called", called)
    if times == 1:
        assert asked.call(REQUEST).value == 1.0
    else:
        with pytest.raises(KilledError):
            asked.call(REQUEST)
    assert asked.killed
    assert asked.fault is None
