"""Points as a person reads them."""

from __future__ import annotations

from fractions import Fraction


def rounded(exact: Fraction) -> float:
    """Return points with two decimals, halves up, as a person would round them."""
    return float(Fraction((exact * 200 + 1) // 2, 100))
