import copy

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grader.judge.record import Outcome
from grader.judge.same import error_class, same_kinds, same_outcome, same_value
from grader.testing.student import Cause
from grader.testing.tolerance import EXACT, FLOAT64, Tolerance
from grader.wire.records import Record

ARRAYS = arrays.arrays(
    st.sampled_from(["float64", "float32", "int64", "bool"]), arrays.array_shapes(min_dims=0, max_dims=3, max_side=3)
)
LEAVES = ARRAYS | st.floats() | st.integers(-(2**1024), 2**1024) | st.booleans() | st.none() | st.text(max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
)
WIDTHS = st.floats(0, 1e-3)


def raised(*types: str) -> Outcome:
    return Outcome(raised=Cause(types))


@given(VALUES)
def test_every_value_is_the_same_as_its_copy(value):
    assert same_value(value, copy.deepcopy(value), EXACT)


@given(VALUES, VALUES)
def test_it_does_not_matter_which_value_comes_first_where_no_tolerance_is_given(one, other):
    assert same_value(one, other, EXACT, 0.0) == same_value(other, one, EXACT, 0.0)


@given(st.floats(-1e3, 1e3), st.floats(0, 1e-2), WIDTHS, st.floats(1, 100))
def test_a_wider_tolerance_never_tells_apart_what_a_narrower_one_held_same(x, error, width, factor):
    one, other = np.array([x + error]), np.array([x])
    if same_value(one, other, EXACT):
        assert same_value(one, other, Tolerance(width, width))
    if same_value(one, other, Tolerance(width, width)):
        assert same_value(one, other, Tolerance(width, width), factor)


@pytest.mark.parametrize(("factor", "same"), [(1, False), (100, True)])
def test_a_factor_widens_the_tolerance(factor, same):
    one, other = {"Z": [np.array([1 + 50e-7])]}, {"Z": [np.array([1.0])]}
    assert same_value(one, other, FLOAT64, factor) is same


def test_float32_is_given_the_room_that_a_test_of_it_gives():
    x = np.array([1.0], "float32")
    assert same_value(x * np.float32(1 + 5e-5), x, EXACT)
    assert not same_value(x * np.float32(1 + 5e-4), x, EXACT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.zeros(2), np.zeros(3)),
        (np.zeros((1, 2)), np.zeros(2)),
        (np.zeros(2), np.zeros(2, "float32")),
        (np.zeros(2), [0.0, 0.0]),
        (np.array([np.nan]), np.array([0.0])),
        (np.array([np.inf]), np.array([-np.inf])),
        ([1.0], [1.0, 1.0]),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "b": 1}),
        (True, 1),
        (1, "1"),
        (None, 0),
        (2**1024 - 1, 1.0),
        (2**1024 - 1, 2**1024 - 2),
        (float("nan"), 0.0),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_differs_in_kind_or_value_is_not_the_same(one, other):
    assert not same_value(one, other, FLOAT64)
    assert not same_value(other, one, FLOAT64)


def test_a_tuple_is_as_good_as_a_list_and_a_numpy_number_as_python_s():
    assert same_value((1.0, 2), [np.float64(1), np.int64(2)], EXACT)


@pytest.mark.parametrize(
    "wrap", [lambda x: x, lambda x: [0, x], lambda x: {"a": (x,)}, lambda x: Record("R", {"f": x})]
)
def test_an_int_and_a_float_are_the_same_value_of_another_kind(wrap):
    assert same_value(wrap(3), wrap(3.0), EXACT)
    assert not same_kinds(wrap(3), wrap(3.0))
    assert not same_kinds(wrap(np.float64(3)), wrap(np.int64(4)))
    assert same_kinds(wrap(3), wrap(np.int64(4)))
    assert same_kinds(wrap(3.0), wrap(np.float32(4)))


def test_what_has_nothing_in_common_has_no_other_kind():
    for one, other in (([1], []), ({"a": 1}, {"b": 1.0}), (None, 1), ("1", 1), (np.ones(1), 1)):
        assert same_kinds(one, other)


def test_outcomes_are_the_same_where_value_and_arguments_are():
    x = np.ones(2)
    outcome = Outcome(x, None, (x, 1), {"mask": x})
    assert same_outcome(outcome, Outcome(x + 1e-9, None, (x, 1), {"mask": x}), FLOAT64)
    assert not same_outcome(outcome, Outcome(x, None, (2 * x, 1), {"mask": x}), FLOAT64)
    assert not same_outcome(outcome, Outcome(x, None, (x, 1), {"mask": 2 * x}), FLOAT64)
    assert not same_outcome(outcome, Outcome(2 * x, None, (x, 1), {"mask": x}), FLOAT64)


def test_what_was_raised_is_compared_by_its_class():
    mine = raised("Mine", "AxisError", "ValueError", "IndexError", "Exception")
    assert same_outcome(mine, raised("ValueError", "Exception"), EXACT)
    assert not same_outcome(mine, raised("TypeError", "Exception"), EXACT)


def test_shapes_that_do_not_fit_may_be_refused_by_a_check_or_by_torch_itself():
    assert same_outcome(raised("RuntimeError", "Exception"), raised("ValueError", "Exception"), EXACT)
    assert not same_outcome(raised("NotImplementedError", "RuntimeError"), raised("ValueError"), EXACT)


def test_raising_is_not_returning():
    assert not same_outcome(raised("ValueError"), Outcome(), FLOAT64, factor=1e9)
    assert not same_outcome(Outcome(), raised("ValueError"), FLOAT64, factor=1e9)


@pytest.mark.parametrize(
    ("types", "known"),
    [
        (("Mine", "TypeError", "Exception"), "TypeError"),
        (("AssertionError", "Exception"), "AssertionError"),
        (("LinAlgError", "ValueError", "Exception"), "ValueError"),
        ((), None),
    ],
)
def test_a_subclass_is_known_by_the_class_a_caller_would_catch(types, known):
    assert error_class(Outcome(raised=Cause(types))) == known


def test_what_returned_is_of_no_error_class():
    assert error_class(Outcome(1)) is None


def test_values_that_could_grow_as_they_are_compared_are_not_the_same():
    class Tensor:
        def __array__(self):
            raise AssertionError("it was converted")

        def __eq__(self, other):
            raise AssertionError("it was compared")

        __hash__ = None

    assert not same_value(Tensor(), Tensor(), EXACT)
    assert same_value(np.True_, np.True_, EXACT)


@pytest.mark.parametrize(("got", "other"), [(124_439_808, 124_439_809), ([12], [np.int64(13)]), (2**60, 2**60 + 1)])
def test_counts_are_the_same_to_the_last_one_whatever_the_tolerance(got, other):
    assert not same_value(got, other, FLOAT64, factor=1e6)
    assert same_value(got, got, EXACT)


@pytest.mark.parametrize("make", [np.random.default_rng, lambda seed: torch.Generator().manual_seed(seed)])
def test_how_far_a_generator_was_used_is_a_matter_of_style(make):
    """Two who draw alike may need more or fewer numbers for it; what was drawn is compared by itself."""
    assert same_value({"generator": make(0)}, {"generator": make(1)}, EXACT)
    assert not same_value(make(0), 0, EXACT)
