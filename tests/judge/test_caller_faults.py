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
from grader.wire.messages import Failed, Failure, Loaded
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

    monkeypatch.setattr(asked, "_called_in", called)
    if times == 1:
        assert asked.call(REQUEST).value == 1.0
    else:
        with pytest.raises(KilledError):
            asked.call(REQUEST)
    assert asked.killed
    assert asked.fault is None


def test_of_two_calls_whose_worker_was_killed_only_the_first_is_tried_again(monkeypatch) -> None:
    asked = caller(AssertionError("no worker is started here"))
    tried = []

    def called(*_):
        tried.append(1)
        raise KilledError(Status.CRASHED, Cause(message="ended by signal 9"))

    monkeypatch.setattr(asked, "_called_in", called)
    for _ in range(2):
        with pytest.raises(KilledError):
            asked.call(REQUEST)
    assert len(tried) == 3


def test_an_import_that_killed_its_worker_twice_is_told_again_and_not_tried_again(monkeypatch) -> None:
    asked = caller(AssertionError("no worker is started here"))
    tried = []

    def try_import(module: str) -> None:
        tried.append(module)
        raise KilledError(Status.CRASHED, Cause(message="ended by signal 9"))

    monkeypatch.setattr(asked, "_try_import", try_import)
    for _ in range(5):
        with pytest.raises(StudentError) as caught:
            asked.call(REQUEST)
        assert caught.value.status is Status.CRASHED
    assert len(tried) == 2


def test_a_submission_that_cannot_be_loaded_where_nothing_else_fails_is_the_student_s(monkeypatch) -> None:
    asked = caller(AssertionError("no worker is started here"))
    failed = Failed(Failure("call", ["MemoryError"], "too much"))
    monkeypatch.setattr(asked, "_loaded", lambda files: failed if files else Loaded([]))
    with pytest.raises(StudentError) as caught:
        asked.call(REQUEST)
    assert caught.value.status is Status.MEMORY
    assert asked.fault is None


def test_where_nothing_at_all_can_be_loaded_the_course_is_told(monkeypatch) -> None:
    asked = caller(AssertionError("no worker is started here"))
    monkeypatch.setattr(asked, "_loaded", lambda files: Failed(Failure("call", ["TypeError"], "no such name")))
    with pytest.raises(CourseError, match="cannot be arranged"):
        asked.call(REQUEST)


def test_an_import_that_went_well_before_has_no_words_of_its_own_later() -> None:
    asked = caller(AssertionError("no worker is started here"))
    error = Failure("import", ["ImportError", "Exception"], "a hidden input")
    assert "a hidden input" in str(asked._unimportable("toy", error))
    asked._ever.add("toy")
    found = asked._unimportable("toy", error)
    assert found.status is Status.IMPORT_ERROR
    assert "a hidden input" not in str(found)
