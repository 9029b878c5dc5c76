from functools import partial

import numpy as np
import pytest

from grader.judge.once import Once
from grader.judge.record import Outcome, Request

ZERO = np.zeros(2)


class Counting:
    def __init__(self):
        self.made = 0

    def __call__(self, request):
        self.made += 1
        return Outcome(value=self.made)


def made(*requests):
    counting = Counting()
    once = Once()
    values = [once(request, partial(counting, request)).value for request in requests]
    return counting.made, values


def ask(*args, function="f", **kwargs):
    return Request(function, args, kwargs)


@pytest.mark.parametrize(
    "args", [(np.arange(3.0),), ([np.eye(2), 3, "a", None, True], (1.5, np.float32(2))), (np.zeros((0, 3)),), ()]
)
def test_the_same_call_is_made_once(args):
    again = [each.copy() if isinstance(each, np.ndarray) else each for each in args]
    assert made(ask(*args, keep=ZERO), ask(*again, keep=ZERO.copy())) == (1, [1, 1])


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
        ask(ZERO, keep=None),
        ask(keep=ZERO),
    ],
)
def test_another_call_is_another(other):
    assert made(ask(ZERO), other) == (2, [1, 2])


def test_lists_and_tuples_and_numbers_of_other_types_differ():
    assert made(*(ask(each) for each in ([1], (1,), 1, 1.0, True, np.int64(1), "1")))[0] == 7


def test_the_layout_of_an_array_does_not_matter_but_its_entries_do():
    square = np.arange(4.0).reshape(2, 2)
    assert made(ask(square), ask(np.asfortranarray(square)), ask(square.T))[0] == 2


def test_a_call_with_anything_else_is_made_each_time():
    for odd in (print, np.random.default_rng(0), np.array([None]), object()):
        assert made(ask(odd), ask(odd)) == (2, [1, 2])
