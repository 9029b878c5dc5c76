from dataclasses import replace

import numpy as np
import pytest

from grader.judge.diagnose import Recorded
from grader.judge.record import Call, Gradient, Outcome, Request
from grader.judge.script import lines
from grader.testing.tolerance import EXACT
from grader.wire.records import Record
from grader.wire.values import Handle

torch = pytest.importorskip("torch")
ZERO = np.zeros(2)


def ask(*args, function="f", value=0.0, test="", **kwargs):
    return Recorded(Call(Request(function, args, kwargs), Outcome(value)), EXACT, test)


def key(*recorded):
    """The key of the last of some calls."""
    return lines(recorded)[-1].key


@pytest.mark.parametrize(
    "args",
    [
        (np.arange(3.0),),
        ([np.eye(2), 3, "a", None, True], (1.5, np.float32(2))),
        (np.zeros((0, 3)),),
        (),
        (torch.arange(3), torch.Generator().manual_seed(3)),
        (Record("Sizes", {"n": 3, "x": ZERO}),),
    ],
)
def test_an_equal_call_has_the_same_key(args):
    request = Request("f", args, {"keep": ZERO})
    again = replace(request, **dict(zip(("args", "kwargs"), request.copy_arguments(), strict=True)))
    one, other = (key(Recorded(Call(each, Outcome(1)), EXACT)) for each in (request, again))
    assert one == other is not None


@pytest.mark.parametrize(
    "other",
    [
        ask(ZERO, function="g"),
        ask(ZERO + 1e-300),
        ask(-ZERO),
        ask(ZERO.astype(np.float32)),
        ask(ZERO.astype(np.int64)),
        ask(ZERO[np.newaxis]),
        ask([0.0, 0.0]),
        ask(torch.zeros(2, dtype=torch.float64)),
        ask(ZERO, keep=None),
        ask(keep=ZERO),
        Recorded(Call(Request("f", (ZERO,), reads=True), Outcome(0.0)), EXACT),
        Recorded(Call(Request("f", (ZERO,), gradient=Gradient((0,), (ZERO,))), Outcome(0.0)), EXACT),
    ],
)
def test_another_call_has_another_key(other):
    assert key(ask(ZERO)) != key(other)


def test_lists_and_tuples_and_numbers_of_other_types_differ():
    assert len({key(ask(each)) for each in ([1], (1,), 1, 1.0, True, np.int64(1), "1")}) == 7


def test_the_layout_of_an_array_does_not_matter_but_its_entries_do():
    square = np.arange(4.0).reshape(2, 2)
    assert key(ask(square)) == key(ask(np.asfortranarray(square))) != key(ask(square.T))


def test_what_was_asked_before_in_the_same_test_matters_and_what_other_tests_asked_does_not():
    seeded, drawn = ask(3, function="manual_seed"), ask(function="draw")
    assert key(seeded, drawn) != key(drawn)
    assert key(replace(seeded, test="a"), replace(drawn, test="b")) == key(drawn)


@pytest.mark.parametrize("odd", [print, np.array([None]), object()], ids=["function", "objects", "object"])
def test_a_call_with_anything_else_has_no_key_nor_have_those_after_it(odd):
    found = lines([ask(1), ask(odd), ask(1), ask(1, test="next")])
    assert [line.key is None for line in found] == [False, True, True, False]
    assert [line.begins for line in found] == [True, False, False, True]


def made(number, *, of=None, value=None):
    """An object is made, then something is asked of it."""
    handle = Handle(number, "Norm")
    return [
        ask(5, function="Norm", value=value or handle),
        Recorded(Call(Request("g", on=of or handle), Outcome(1)), EXACT),
    ]


def test_objects_are_known_by_where_they_came_from_and_not_by_their_numbers():
    assert key(*made(3)) == key(*made(-8)) is not None
    pair = [Handle(1, "A"), Handle(2, "A")]
    first, second = (key(*made(0, of=each, value=pair)) for each in pair)
    assert first != second


def test_an_object_that_stood_elsewhere_is_another():
    handle = Handle(1, "A")
    assert key(*made(0, of=handle, value=[handle, 0.0])) != key(*made(0, of=handle, value=[0.0, handle]))


def test_an_object_of_nowhere_has_no_key():
    assert key(Recorded(Call(Request("g", on=Handle(3, "A")), Outcome(1)), EXACT)) is None
