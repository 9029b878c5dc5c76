"""Are two outcomes of a call the same, to a tolerance? The question every diagnosis is made of."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from grader.judge.record import Outcome
from grader.testing.close import entries_close
from grader.testing.tolerance import Tolerance, tolerance_for


def same_outcome(got: Outcome, other: Outcome, tolerance: Tolerance, *, factor: float = 1.0) -> bool:
    """Return whether both raised the same, or returned and left behind the same values.

    Args:
        got: One outcome.
        other: Another.
        tolerance: The widest that the test used; the policy of the values' dtype applies where it is wider.
        factor: How many times as wide to make it.
    """
    if got.raised is not None or other.raised is not None:
        return got.raised is not None and other.raised is not None and error_class(got) == error_class(other)
    return all(
        same_value(mine, yours, tolerance, factor)
        for mine, yours in ((got.value, other.value), (list(got.args), list(other.args)), (got.kwargs, other.kwargs))
    )


def error_class(outcome: Outcome) -> str | None:
    """Return the class of what was raised, as the caller could catch it: a student's own subclass is the same."""
    known = (
        "ValueError",
        "IndexError",
        "TypeError",
        "KeyError",
        "ZeroDivisionError",
        "MemoryError",
        "NotImplementedError",
    )
    types = outcome.raised.types if outcome.raised else ()
    return next((name for name in known if name in types), types[0] if types else None)


def same_value(got: Any, other: Any, tolerance: Tolerance, factor: float = 1.0) -> bool:  # noqa: ANN401  # any value that crosses the wire
    """Return whether two values have the same structure, shapes, dtypes and, to tolerance, numbers."""
    if isinstance(got, np.ndarray) and isinstance(other, np.ndarray):
        return (
            got.shape == other.shape and got.dtype == other.dtype and bool(_close(got, other, tolerance, factor).all())
        )
    if isinstance(got, list | tuple) and isinstance(other, list | tuple):
        return len(got) == len(other) and all(
            same_value(a, b, tolerance, factor) for a, b in zip(got, other, strict=True)
        )
    if isinstance(got, dict) and isinstance(other, dict):
        return got.keys() == other.keys() and all(same_value(got[key], other[key], tolerance, factor) for key in got)
    if is_number(got) and is_number(other):
        return bool(
            _close(np.asarray(got, dtype=np.float64), np.asarray(other, dtype=np.float64), tolerance, factor).all()
        )
    return type(got) is type(other) and _is_plain(got) and bool(got == other)


def is_number(value: object) -> bool:
    """Return whether a value is a real number that a float can hold: a student's integer may have any length."""
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() < sys.float_info.max_exp
    return isinstance(value, float | np.floating | np.integer)


def _is_plain(value: object) -> bool:
    """Whether `==` gives one answer: that of two tensors can be an array larger than both."""
    return isinstance(value, np.generic) or not hasattr(type(value), "__array__")


def _close(
    got: np.ndarray[Any, Any], other: np.ndarray[Any, Any], tolerance: Tolerance, factor: float
) -> np.ndarray[Any, Any]:
    return entries_close(got, other, tolerance_for(other.dtype).wider(tolerance).scaled(factor))
