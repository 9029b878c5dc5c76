from __future__ import annotations

import queue
import threading

import pytest

from grader.course.locate import load_assignments
from grader.judge.run import Stopped
from grader.kit.watching import judging as module
from grader.kit.watching.events import Done
from grader.kit.watching.judging import Asked, Judging
from grader.model.errors import GraderError


@pytest.fixture
def told(kit, monkeypatch):
    """What a `Judging` tells, with checks that last until they may end; `ask` asks for an exercise."""
    found: queue.Queue[Done] = queue.Queue()
    begun: queue.Queue[str] = queue.Queue()
    may_end = threading.Event()
    [assignment] = load_assignments(kit, ["attention"])

    def examine(_assignment, exercises, _files, *, settled, run, stop, language) -> list[object]:
        begun.put(exercises[0])
        while not may_end.wait(0.01):
            if stop.is_set():
                raise Stopped
        if exercises[0] == "fault":
            raise GraderError("ours")
        return []

    monkeypatch.setattr(module, "examine", examine)

    def asked(number: int, name: str) -> Asked:
        return Asked(number, assignment, (name,), {})

    with Judging(found.put) as judging:
        yield judging, asked, found, begun, may_end
        may_end.set()


def test_what_is_asked_is_answered_in_order(told) -> None:
    judging, asked, found, _, may_end = told
    may_end.set()
    judging.ask(asked(1, "one"), asked(2, "two"))
    assert [found.get(timeout=10).number for _ in range(2)] == [1, 2]


def test_what_is_newer_takes_the_place_of_what_is_not_begun(told) -> None:
    judging, asked, found, begun, may_end = told
    judging.ask(asked(1, "one"), asked(2, "two"))
    assert begun.get(timeout=10) == "one"
    judging.ask(asked(3, "three"))
    may_end.set()
    assert [found.get(timeout=10).number for _ in range(2)] == [1, 3]


def test_what_takes_too_long_is_given_up_for_what_is_newer_and_only_then(told, monkeypatch) -> None:
    judging, asked, found, begun, may_end = told
    judging.ask(asked(1, "one"))
    assert begun.get(timeout=10) == "one"
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    judging.hurry()  # nothing newer waits
    judging.ask(asked(2, "two"))
    assert begun.get(timeout=10) == "two"
    may_end.set()
    assert found.get(timeout=10).number == 2


def test_a_fault_of_ours_is_an_answer_and_the_next_is_judged(told) -> None:
    judging, asked, found, _, may_end = told
    may_end.set()
    judging.ask(asked(1, "fault"), asked(2, "two"))
    assert [found.get(timeout=10).problem for _ in range(2)] == ["ours", ""]
