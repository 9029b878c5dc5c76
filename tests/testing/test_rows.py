import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grader.testing import assert_row_stochastic
from grader.testing.tolerance import tolerance_for

SHARES = arrays.arrays("float64", arrays.array_shapes(min_dims=2, max_side=5), elements=st.floats(0.125, 8))


def said(*args, **kwargs) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_row_stochastic(*args, **kwargs)
    return str(caught.value)


def columnwise_softmax(scores):
    weights = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return weights / weights.sum(axis=-2, keepdims=True)


@given(SHARES)
def test_rows_that_share_one_unit_pass(x):
    assert_row_stochastic(x / x.sum(axis=-1, keepdims=True))


@given(SHARES, st.data())
def test_one_row_that_does_not_is_named(x, data):
    row = data.draw(st.tuples(*(st.integers(0, n - 1) for n in x.shape[:-1])))
    weights = x / x.sum(axis=-1, keepdims=True)
    weights[row] *= 1.5
    *matrix, bad = row
    sums = ["1"] * x.shape[-2]
    sums[bad] = "1.5"
    place = f" at {matrix}" if matrix else ""
    assert said(weights).startswith(f"the weights{place}: your rows sum to [{', '.join(sums)}], each should sum to 1")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_sum_may_be_as_far_from_1_as_ten_tolerances(dtype):
    policy = tolerance_for(np.dtype(dtype))
    off = 10 * (policy.rtol + policy.atol)
    for sign in (1, -1):
        assert_row_stochastic(np.array([[0.5, 0.5 + sign * 0.95 * off]], dtype))
        told = said(np.array([[0.5, 0.5 + sign * 1.05 * off]], dtype))
        assert "your rows sum to [1.0" in told or "your rows sum to [0.99" in told


def test_float32_is_given_the_room_it_needs():
    rows = np.random.default_rng(1).uniform(size=(5, 4097)).astype("float32")
    assert_row_stochastic(rows / rows.sum(axis=-1, keepdims=True))


def test_columns_that_sum_to_1_are_recognised():
    weights = columnwise_softmax(np.random.default_rng(2).standard_normal((2, 3, 5, 5)))
    assert said(weights, what="A").endswith("; it is your columns that do: [1, 1, 1, 1, 1]")


def test_the_lecture_s_trap_is_recognised_though_a_causal_mask_empties_a_corner():
    scores = np.array([[1.0, -np.inf], [2.0, 6.0]])
    assert said(columnwise_softmax(scores)) == (
        "the weights: your rows sum to [0.269, 1.731], each should sum to 1; it is your columns that do: [1, 1]"
    )


def test_columns_are_not_blamed_for_another_mistake():
    assert "columns" not in said(np.full((3, 3), 0.5))
    assert "columns" not in said(np.zeros((3, 3)))
    assert said(np.array([[0.0, 1.0], [0.0, 0.0]])) == "the weights: your rows sum to [1, 0], each should sum to 1"


def test_what_is_negative_is_no_share():
    assert said(np.array([[1.5, -0.5, 0.0]])) == "the weights: 1 entries are negative; a weight is a share, 0 or more"


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_what_is_not_finite_is_no_share(odd):
    assert said(np.array([[odd, 1.0, 0.0]])) == "the weights: 1 of 3 entries are not finite"


def test_a_row_that_may_attend_to_nothing_sums_to_0():
    weights = np.array([[[1.0, 0.0], [0.0, 0.0]]])
    assert_row_stochastic(weights, empty=np.array([False, True]))
    assert said(weights).startswith("the weights at [0]: your rows sum to [1, 0], each should sum to 1")
    assert said(weights, empty=np.array([True, True])).startswith(
        "the weights at [0]: your rows sum to [1, 0], they should sum to [0, 0]"
    )


def test_of_many_rows_those_from_the_first_bad_one_on_are_shown():
    weights = np.full((20, 2), 0.5)
    weights[11:] = 0.25
    assert said(weights) == (
        "the weights, from row 11 on: your rows sum to [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, ...], each should sum to 1"
    )


@pytest.mark.parametrize(
    ("total", "shown"), [(1.0000123, "1.0000123"), (1e-5, "0.00001"), (2.5e12, "2.5e+12"), (1e308, "1e+308")]
)
def test_a_sum_is_shown_with_the_digits_that_it_takes(total, shown):
    assert said(np.array([[total, 0.0]])).startswith(f"the weights: your rows sum to [{shown}], ")


def test_a_sum_that_is_too_large_for_a_number_is_told():
    with np.errstate(over="ignore"):
        assert "your rows sum to [inf]" in said(np.array([[1.7e308, 1.7e308]]))


def test_weights_have_two_axes_at_least():
    assert said(np.ones(1), what="A") == "A should have at least two axes, [..., T_q, T_k]; got shape (1,)"
    assert "should be a NumPy array" in said([[1.0]])
