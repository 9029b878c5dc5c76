from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.points import rounded


@given(st.integers(0, 10**6).map(lambda cents: Fraction(cents, 1000)))
def test_points_are_rounded_as_a_person_rounds(exact):
    decimal = (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert rounded(exact) == float(decimal)


@pytest.mark.parametrize(
    ("exact", "shown"), [("0.005", 0.01), ("0.00499", 0.0), ("1.125", 1.13), ("2.675", 2.68), ("10", 10.0)]
)
def test_a_half_is_rounded_up(exact, shown):
    assert rounded(Fraction(exact)) == shown
