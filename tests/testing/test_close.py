import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from grader.testing import assert_close
from grader.testing.close import entries_close
from grader.testing.tolerance import EXACT, FLOAT64, tolerance_for

FLOATS = arrays.arrays(
    st.sampled_from(["float64", "float32"]), arrays.array_shapes(max_dims=3, max_side=4), elements=st.floats(width=32)
)


def said(*args, **kwargs) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_close(*args, **kwargs)
    return str(caught.value)


@given(FLOATS)
def test_everything_is_close_to_itself(x):
    assert_close(x.copy(), x)
    assert entries_close(x, x, EXACT).all()


@given(FLOATS, st.data())
def test_one_nan_is_one_too_many(x, data):
    index = data.draw(st.tuples(*(st.integers(0, n - 1) for n in x.shape)))
    assume(not np.isnan(x).any())
    got = x.copy()
    got[index] = np.nan
    assert said(got, x).startswith(f"the result: 1 of {x.size} entries are NaN; first at {list(index)}: got nan")
    assert said(x, got).startswith(f"the result: 1 of {x.size} entries differ; first at {list(index)}")


@given(FLOATS, st.sampled_from(["float64", "float32", "float16", "int64", "bool", "complex128"]))
def test_another_dtype_never_passes(x, dtype):
    assume(x.dtype != dtype)
    with np.errstate(all="ignore"):
        other = np.nan_to_num(x).astype(dtype)
    assert ": dtype " in said(other, x)


@given(FLOATS)
def test_another_shape_never_passes(x):
    for other in (x[None], x.ravel(), x[..., None], x[:0], np.concatenate([x, x])):
        if other.shape != x.shape:
            assert "has shape" in said(other, x)


@given(FLOATS)
def test_what_only_looks_like_an_array_never_passes(x):
    for other in (x.tolist(), tuple(x), np.ma.masked_array(x, mask=True), x.view(np.recarray), memoryview(x), None):
        assert "should be a NumPy array" in said(other, x)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@given(value=st.floats(1e-2, 1e6), part=st.floats(0, 0.9))
def test_the_policy_of_the_dtype_is_the_border(dtype, value, part):
    expected = np.array([value], dtype=dtype).astype("float64")
    policy = tolerance_for(np.dtype(dtype))
    room = policy.atol + policy.rtol * expected
    for sign in (1, -1):
        assert entries_close(expected + sign * part * room, expected, policy).all()
        assert not entries_close(expected + sign * (2 - part) * room, expected, policy).any()


@pytest.mark.parametrize("x", [np.inf, -np.inf, 1e308, 0.0])
@pytest.mark.parametrize("y", [np.inf, -np.inf, np.nan])
def test_an_infinity_is_close_to_itself_alone(x, y):
    assert bool(entries_close(np.array(x), np.array(y), FLOAT64)) == (x == y)
    assert bool(entries_close(np.array(y), np.array(x), FLOAT64)) == (x == y)


def test_integers_and_booleans_are_compared_exactly():
    assert_close(np.array([2**62]), np.array([2**62]))
    assert "1 of 1 entries differ" in said(np.array([2**62 + 1]), np.array([2**62]))
    assert said(np.array([True, False]), np.array([True, True])) == (
        "the result: 1 of 2 entries differ; first at [1]: got False, expected True"
    )


def test_an_integer_beside_a_float_is_compared_exactly():
    almost, one = np.array([1 + 1e-9]), np.array([1])
    assert not entries_close(almost, one, FLOAT64).any()
    assert not entries_close(one, almost, FLOAT64).any()


def test_the_first_bad_entry_and_the_worst_errors_are_told():
    expected = np.array([[1.0, 2.0], [4.0, 100.0]])
    got = np.array([[1.0, 2.5], [4.0, 110.0]])
    assert said(got, expected, what="Z") == (
        "Z: 2 of 4 entries differ; first at [0, 1]: got 2.5, expected 2; "
        "worst absolute error 10, worst relative error 0.25"
    )


def test_a_test_may_ask_for_less_or_more():
    assert_close(np.array([1.01]), np.array([1.0]), rtol=0.1)
    assert "differ" in said(np.array([1 + 1e-8]), np.array([1.0]), rtol=0.0, atol=0.0)


def test_complex_errors_are_told_like_others():
    assert "worst absolute error 5, worst relative error 5" in said(np.array([4 + 4j]), np.array([1 + 0j]))


def test_an_error_that_nobody_can_measure_is_called_undefined():
    assert "worst absolute error undefined" in said(np.array([np.inf]), np.array([np.nan]))


def test_beside_an_expected_0_no_relative_error_is_told():
    assert said(np.array([0.5, 1.0]), np.array([0.0, 1.0])).endswith("worst absolute error 0.5")
    told = said(np.array([0.5, 2.0]), np.array([0.0, 1.0]))
    assert told.endswith("worst absolute error 1, worst relative error 1")


def test_numbers_that_differ_are_told_with_digits_that_differ():
    assert "got 1.00000001, expected 1;" in said(np.array([1 + 1e-8]), np.array([1.0]), rtol=0.0, atol=0.0)
    assert said(1 + 1e-15, 1.0, rtol=0.0, atol=0.0).endswith("got 1.0000000000000011, expected 1")


@pytest.mark.parametrize("got", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0)], ids=repr)
def test_a_number_may_be_of_any_real_kind(got):
    assert_close(got, 2.0)


@pytest.mark.parametrize("got", [True, np.True_, "2", None, [2.0], np.array([2.0]), 2 + 0j, np.complex128(2)], ids=repr)
def test_what_is_no_real_number_is_none(got):
    assert "should be a number, got" in said(got, 2.0)


@pytest.mark.parametrize(("got", "expected"), [(2.1, 2.0), (np.nan, 2.0), (2.0, np.nan), (np.inf, -np.inf)])
def test_another_number_is_told_with_the_expected_one(got, expected):
    assert said(got, expected, what="loss") == f"loss: got {got:.6g}, expected {expected:.6g}"
