import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.testing import assert_equal, assert_finite


def said(call, *args, **kwargs) -> str:
    with pytest.raises(AssertionError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


@given(st.floats(allow_nan=False).filter(bool), st.sampled_from([1, -1]))
def test_equal_allows_no_rounding(value, direction):
    x = np.array([value])
    assert_equal(x.copy(), x)
    with np.errstate(all="ignore"):
        neighbour = np.nextafter(x, direction * np.inf)
    if neighbour[0] != value:
        assert "1 of 1 entries differ" in said(assert_equal, neighbour, x)


def test_a_pattern_of_infinities_is_equal_to_itself():
    x = np.array([0.0, -np.inf, np.nan])
    assert_equal(x.copy(), x)
    assert "first at [0]" in said(assert_equal, np.array([-0.5, -np.inf, np.nan]), x)


def test_equal_arrays_have_one_shape_and_dtype():
    x = np.array([[True, False]])
    assert "has shape (2,)" in said(assert_equal, x[0], x)
    assert "dtype int64, expected bool" in said(assert_equal, x.astype("int64"), x)
    assert "should be a NumPy array" in said(assert_equal, x.tolist(), x)


@pytest.mark.parametrize(
    ("got", "expected"),
    [(1, True), (1.0, 1), ("1", 1), (np.int64(1), 1), ([1, 2], (1, 2)), (None, 0), ({"a": 1}, {"a": 2})],
    ids=repr,
)
def test_what_is_not_the_same_in_type_and_value_is_told(got, expected):
    assert said(assert_equal, got, expected, what="n") == f"n: got {got!r}, expected {expected!r}"
    assert_equal(expected, expected)


def test_a_long_value_is_cut():
    assert len(said(assert_equal, "x" * 10_000, "y")) < 300


def test_finite_is_finite():
    assert_finite(np.array([0.0, 1e308]))


def test_the_first_entry_that_is_not_finite_is_told():
    x = np.zeros((2, 3))
    x[1, 0], x[1, 2] = np.nan, np.inf
    assert said(assert_finite, x, what="A") == "A: 2 of 6 entries are not finite; first at [1, 0]: nan"
    assert "should be a NumPy array" in said(assert_finite, [0.0])
