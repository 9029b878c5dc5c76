from __future__ import annotations

import numpy as np
import pytest

from grader.testing import assert_rejects
from grader.testing.arguments import told_arguments
from grader.testing.telling import Telling, tell
from grader.wire.records import Record
from tests.testing.apart import apart
from tests.testing.test_calls import Pretended

NAMES = Telling(parameters={"softmax": ("x", "axis")})


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((np.array([1, 2]), 2), {}, "x = [1, 2], axis = 2"),
        ((np.array([[True], [False]]),), {"axis": -1}, "x = [[True], [False]], axis = -1"),
        ((np.array([0.5, -np.inf]),), {}, "x = [0.5, -inf]"),
        ((np.zeros((2, 30)),), {}, "x of shape (2, 30)"),
        ((np.zeros((0, 2)), None), {}, "x of shape (0, 2), axis = None"),
        ((1, 2, "more"), {"seed": 0.1}, "x = 1, axis = 2, 'more', seed = 0.1"),
        (([], (3,)), {}, "x = [], axis = (3,)"),
        (([np.zeros(9)], list(range(99))), {}, "x: a list of 1, axis: a list of 99"),
        (("a" * 200,), {}, "x: a str"),
        ((Record("ModelShape", {"n_head": 4, "d_model": 6}),), {}, "x = ModelShape(n_head=4, d_model=6)"),
        ((), {}, "no arguments"),
    ],
    ids=str,
)
@apart
def test_arguments_are_told_by_their_names_small_ones_with_their_values(args, kwargs, words):
    tell(NAMES)
    assert told_arguments("softmax", args, kwargs) == words


def test_of_a_function_whose_parameters_are_not_known_the_values_are_told():
    assert told_arguments("other", (np.zeros((2, 30)), 3), {}) == "an array of shape (2, 30) and dtype float64, 3"


@apart
def test_a_refusal_that_did_not_come_is_told_with_what_it_was_to_refuse():
    tell(NAMES)
    with pytest.raises(AssertionError) as caught:
        assert_rejects(Pretended(lambda x, axis: x), np.zeros((2, 3)), axis=2)
    assert str(caught.value) == (
        "softmax should raise ValueError for x = [[0, 0, 0], [0, 0, 0]], axis = 2, "
        "but returned an array of shape (2, 3) and dtype float64"
    )


def test_arguments_are_told_as_they_were_before_the_call():
    def spoil(x):
        x[:] = 7
        return x

    with pytest.raises(AssertionError, match=r"for \[1, 2\], but"):
        assert_rejects(Pretended(spoil), np.array([1, 2]))
