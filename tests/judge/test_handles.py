from __future__ import annotations

import pytest

from grader.judge.handles import Handles
from grader.judge.question import question_of
from grader.judge.record import Gradient, Request
from grader.model.verdict import Status
from grader.testing.student import StudentError
from grader.wire.messages import Call, Get, Vjp
from grader.wire.values import Handle


@pytest.fixture
def handles() -> Handles:
    found = Handles()
    found.start()
    return found


def test_a_number_of_the_worker_comes_back_as_it_was(handles):
    kept = handles.received([Handle(3, "Norm"), {"x": (Handle(0, "Norm"),)}])
    assert handles.sent(kept) == [Handle(3, "Norm"), {"x": (Handle(0, "Norm"),)}]


def test_the_same_number_of_two_workers_is_two_objects(handles):
    first = handles.received(Handle(3, "Norm"))
    handles.start()
    second = handles.received(Handle(3, "Norm"))
    assert first != second
    assert handles.alive(second)
    assert not handles.alive(first)


def test_an_object_of_a_worker_that_ended_is_missed(handles):
    kept = handles.received(Handle(3, "Norm"))
    handles.start()
    with pytest.raises(StudentError, match="the Norm was in a process that has ended") as caught:
        handles.sent({"norm": [kept]})
    assert caught.value.status is Status.CRASHED


def test_each_kind_of_request_is_a_message_of_its_own(handles):
    norm = handles.received(Handle(3, "Norm"))
    call = Request("forward", (1,), {"y": norm}, on=norm)
    assert question_of(call, "forward", handles) == Call("forward", (1,), {"y": Handle(3, "Norm")}, 3)
    assert question_of(Request("Norm", (5,)), "toy.Norm", handles) == Call("toy.Norm", (5,))
    assert question_of(Request("weight", on=norm, reads=True), "weight", handles) == Get("weight", 3)
    asked = Request("forward", (1,), on=norm, gradient=Gradient((0, "weight"), (2,)))
    assert question_of(asked, "forward", handles) == Vjp("forward", (1,), {}, 3, [0, "weight"], [2])
