import contextvars

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.testing.tolerance import EXACT, FLOAT32, FLOAT64, Tolerance, chosen, tolerance_for, widest

SMALL = st.floats(0, 1)
TOLERANCES = st.builds(Tolerance, SMALL, SMALL)


@pytest.mark.parametrize("dtype", ["float64", "int64", "bool", "complex128"])
def test_full_precision_is_held_to_the_narrow_policy(dtype):
    assert tolerance_for(np.dtype(dtype)) == FLOAT64


@pytest.mark.parametrize("dtype", ["float32", "float16", "complex64"])
def test_less_precision_is_given_more_room(dtype):
    assert tolerance_for(np.dtype(dtype)) == FLOAT32


def test_a_tolerance_grows_in_both_parts():
    assert Tolerance(1e-7, 1e-9).scaled(100) == pytest.approx(Tolerance(1e-5, 1e-7))


@given(TOLERANCES, TOLERANCES)
def test_the_wider_of_two_is_as_wide_as_each(one, other):
    wider = one.wider(other)
    assert wider == other.wider(one)
    assert wider.rtol >= max(one.rtol, other.rtol)
    assert wider.atol >= max(one.atol, other.atol)
    assert EXACT.wider(one) == one


def test_a_test_may_override_each_part_of_the_policy():
    assert chosen(np.dtype(float), None, 1e-3) == Tolerance(FLOAT64.rtol, 1e-3)
    assert chosen(np.dtype(float), 0.0, None) == Tolerance(0.0, FLOAT64.atol)


def test_the_widest_tolerance_of_a_test_is_remembered():
    def compare() -> Tolerance:
        chosen(np.dtype("float32"), None, None)
        chosen(np.dtype("float64"), None, 0.5)
        chosen(np.dtype("float64"), None, None)
        return widest.get()

    assert contextvars.Context().run(compare) == Tolerance(FLOAT32.rtol, 0.5)
