"""Calls that never come back are stopped."""

from __future__ import annotations

import types

import pytest

from grader.judge.direct import DirectCaller
from grader.judge.record import Request
from grader.model.verdict import Status
from grader.testing.student import StudentError
from grader.verify.mutants.hurried import Hurried


def caller(source: str, seconds: float = 0.2) -> Hurried:
    module = types.ModuleType("m")
    exec(source, module.__dict__)  # noqa: S102  # the code to be stopped
    return Hurried(DirectCaller(module), seconds)


def test_an_endless_loop_ends_as_a_timeout() -> None:
    with pytest.raises(StudentError, match=r"f used more than 0\.2 s") as caught:
        caller("def f():\n    while True:\n        pass\n").call(Request("f"))
    assert caught.value.status is Status.TIMEOUT


def test_a_loop_that_catches_every_exception_ends_too() -> None:
    looping = (
        "def f():\n    while True:\n        try:\n            len([])\n        except Exception:\n            pass\n"
    )
    with pytest.raises(StudentError):
        caller(looping).call(Request("f"))


def test_what_comes_back_in_time_is_what_came_back() -> None:
    assert caller("def f(x):\n    return x + 1\n", 60).call(Request("f", (1,))).value == 2
    assert caller("def f():\n    raise KeyError\n", 60).call(Request("f")).raised is not None
