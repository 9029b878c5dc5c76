"""Objects of the worker, seen from the judge."""

from __future__ import annotations

import numpy as np
import pytest

from grader.wire.errors import Unsendable, WireError
from grader.wire.messages import Call, Failed, Get, Release, Returned, Set
from grader.wire.values import Handle, Lent
from grader.worker.objects import MAX_OBJECTS, Objects

BOX = """
class Box:
    made = 0
    def __init__(self, value=None):
        Box.made += 1
        self.value = value
    def get(self): return self.value
    def put(self, value): self.value = value; return self
    def __call__(self, x): return [self.value, x]
    def __len__(self): return 7
    def fail(self): raise ValueError("no")
    @property
    def broken(self): raise KeyError("no")

def make(value=None): return Box(value)
def take(box): return box.value
def same(a, b): return a is b
def made(): return Box.made
def many(n): return [Box(i) for i in range(n)]
def things(): return {"a": {1, 2}, "b": (i for i in ()), "c": len, "d": Box, "e": object()}
LIMIT = 5
"""


@pytest.fixture
def boxes(submission):
    return submission(BOX)


def test_an_object_comes_as_a_handle_with_the_name_of_its_class(boxes):
    box = boxes.returned("student.make", 1)
    assert isinstance(box, Handle)
    assert box.type == "Box"


def test_a_class_can_be_called_and_methods_too(boxes):
    box = boxes.returned("student.Box", np.arange(3))
    assert boxes.returned("get", on=box.id).tolist() == [0, 1, 2]
    assert boxes.returned("put", 5, on=box.id) == box
    assert boxes.returned("__call__", 6, on=box.id) == [5, 6]
    assert boxes.returned("__len__", on=box.id) == 7


def test_attributes_can_be_read_and_written(boxes):
    box = boxes.returned("student.make", 1)
    assert boxes.ask(Get("value", box.id)) == Returned(1)
    assert boxes.ask(Set("value", [2], box.id)) == Returned(None)
    assert boxes.returned("get", on=box.id) == [2]
    answer = boxes.ask(Get("broken", box.id))
    assert isinstance(answer, Failed)
    assert (answer.error.types[0], answer.error.file) == ("KeyError", "student.py")
    answer = boxes.ask(Get("absent", box.id))
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "AttributeError"


def test_names_of_a_module_can_be_read_and_written(boxes):
    assert boxes.ask(Get("student.LIMIT")) == Returned(5)
    assert boxes.ask(Get("student.Box.made")) == Returned(0)
    boxes.ask(Set("student.LIMIT", 6))
    assert boxes.ask(Get("student.LIMIT")) == Returned(6)


def test_a_handle_as_an_argument_is_the_object_itself(boxes):
    box, other = boxes.returned("student.make", 1), boxes.returned("student.make", 1)
    assert boxes.returned("student.take", box) == 1
    assert boxes.returned("student.same", box, box) is True
    assert boxes.returned("student.same", box, other) is False
    answer = boxes.ask(Call("student.take", (), {"box": box}))
    assert answer.kwargs == {"box": box}


def test_one_object_has_one_handle(boxes):
    box = boxes.returned("student.make")
    assert boxes.returned("student.make", box) != box
    assert boxes.returned("put", box, on=box.id) == box
    assert boxes.ask(Get("value", box.id)) == Returned(box)


def test_objects_within_containers_are_handles_too(boxes):
    types = {key: handle.type for key, handle in boxes.returned("student.things").items()}
    assert types == {"a": "set", "b": "generator", "c": "builtin_function_or_method", "d": "type", "e": "object"}


def test_a_method_that_raises_is_told_like_a_function(boxes):
    box = boxes.returned("student.make")
    failure = boxes.failure("fail", on=box.id)
    assert (failure.types[0], failure.message, failure.file) == ("ValueError", "no", "student.py")


def test_a_handle_can_be_called_if_its_object_can(boxes):
    function = boxes.returned("student.things")["c"]
    assert boxes.returned("__call__", [1, 2], on=function.id) == 2


def test_more_objects_than_are_kept_are_refused_and_the_worker_goes_on(boxes):
    failure = boxes.failure("student.many", MAX_OBJECTS + 1)
    assert failure.types[0] == "TypeError"
    assert failure.message == f"your code returned more than {MAX_OBJECTS} objects of its own, which cannot be graded"
    assert boxes.returned("student.made") == MAX_OBJECTS + 1


def test_a_released_object_is_forgotten_and_its_number_not_used_again(boxes):
    box = boxes.returned("student.make")
    assert boxes.ask(Release(box.id)) == Returned()
    assert boxes.ask(Release(box.id)) == Returned()
    assert boxes.returned("student.make").id > box.id


def test_released_objects_make_room():
    objects = Objects(lambda _: print)
    for _ in range(2 * MAX_OBJECTS):
        objects.release(objects.reduce(object()).id)
    kept = [object() for _ in range(MAX_OBJECTS)]
    for thing in kept:
        objects.reduce(thing)
    with pytest.raises(Unsendable, match="more than"):
        objects.reduce(object())
    assert objects.revive(objects.reduce(kept[3])) is kept[3]


def test_a_function_of_the_judge_is_one_function_and_goes_back_as_it_came():
    objects = Objects(lambda lent: lambda: lent.id)
    function = objects.revive(Lent(3))
    assert function() == 3
    assert objects.revive(Lent(3)) is function
    assert objects.revive(Lent(4)) is not function
    assert objects.reduce(function) == Lent(3)


def test_a_handle_that_was_never_given_is_the_judges_own_mistake(start):
    for request in (Call("get", on=99), Call("student.take", (Handle(99, "Box"),))):
        judge = start()
        judge.load(student=BOX)
        with pytest.raises(WireError):
            judge.ask(request)
    judge.channel.close()
    for _ in range(1000):
        if len(judge.raised) == 2:
            break
        __import__("time").sleep(0.01)
    assert [str(error) for error in judge.raised] == ["handle: no object has number 99"] * 2


def test_the_name_of_a_class_is_its_own_whatever_its_metaclass_says():
    class Meta(type):
        @property
        def __name__(cls):
            raise RuntimeError

    class Plain(metaclass=Meta):
        pass

    assert Objects(lambda _: print).reduce(Plain()).type == "Plain"
