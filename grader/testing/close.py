"""Comparisons of values, with messages a student can act on."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.testing.around import Differs, around
from grader.testing.bounded import Array, first_true, numbers
from grader.testing.plain import identical
from grader.testing.structure import as_array, as_tensor, describe
from grader.testing.tensors import is_tensor, numbers_of, plain
from grader.testing.tolerance import EXACT, Tolerance, chosen


def assert_close(
    got: object, expected: object, *, rtol: float | None = None, atol: float | None = None, what: str = "the result"
) -> None:
    """Assert that `got` is an array (or number) of the expected shape, dtype and, to tolerance, values.

    NaN is never close to anything but an expected NaN, an infinity only to the same infinity.

    Raises:
        AssertionError: With both shapes and dtypes, the worst errors and the first bad entry.
        TypeError: `expected` is neither a number, nor an array of numbers, nor a list of them.
    """
    if is_tensor(expected):
        _require_like(got, expected, what)
        return assert_close(numbers_of(got), numbers_of(expected), rtol=rtol, atol=atol, what=what)
    if isinstance(expected, float | int | np.generic):
        return _assert_number(got, expected, rtol=rtol, atol=atol, what=what)
    want = numbers(expected, what)
    have = as_array(got, shape=want.shape, dtype=want.dtype, what=what)
    bad = ~entries_close(have, want, chosen(want.dtype, rtol, atol))
    if bad.any():
        raise Differs(f"{what}: {_worst(have, want, bad)}", lambda: around(have, want, bad, first_true(bad)))
    return None


def _require_like(got: Any, expected: Any, what: str) -> None:  # noqa: ANN401  # tensors
    as_tensor(got, shape=tuple(expected.shape), dtype=expected.dtype, what=what)


def entries_close(got: Array, expected: Array, tolerance: Tolerance) -> Array:
    """Return, entry by entry, whether `got` is close to `expected` (same shape, any numeric dtype)."""
    if not (np.issubdtype(expected.dtype, np.inexact) and np.issubdtype(got.dtype, np.inexact)):
        return np.asarray(got == expected)
    with np.errstate(all="ignore"):
        wide = np.result_type(got.dtype, np.float64)
        difference = np.abs(got.astype(wide) - expected.astype(wide))
        near = difference <= tolerance.atol + tolerance.rtol * np.abs(expected.astype(wide))
    finite = np.isfinite(got) & np.isfinite(expected)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    return np.asarray(np.where(finite, near, same))


def _worst(got: Array, expected: Array, bad: Array) -> str:
    index = first_true(bad)
    first = (
        f"first at {list(index)}: got {got[index]:.6g}, expected {expected[index]:.6g}"
        if got.ndim
        else f"got {got:.6g}, expected {expected:.6g}"
    )
    share = f"{int(bad.sum())} of {bad.size} entries differ"
    if np.isnan(got).any() and not np.isnan(expected).any():
        return f"{int(np.isnan(got).sum())} of {got.size} entries are NaN; {first}"
    if got.dtype == bool:
        return f"{share}; first at {list(index)}: got {bool(got[index])}, expected {bool(expected[index])}"
    with np.errstate(all="ignore"):
        wide = np.result_type(got.dtype, np.float64)
        error = np.abs(got.astype(wide) - expected.astype(wide))[bad]
        relative = error / np.abs(expected.astype(wide))[bad]
    return f"{share}; {first}; worst absolute error {_largest(error)}, worst relative error {_largest(relative)}"


def _largest(errors: Array) -> str:
    known = errors[~np.isnan(errors)]
    return f"{known.max():.3g}" if known.size else "undefined"


def _assert_number(got: object, expected: Any, *, rtol: float | None, atol: float | None, what: str) -> None:  # noqa: ANN401  # any number
    got = plain(got)
    if isinstance(got, np.ndarray) and got.ndim == 0:
        got = got[()]
    if isinstance(got, bool) or not isinstance(got, float | int | np.floating | np.integer):
        raise AssertionError(f"{what} should be a number, got {describe(got)}")
    tolerance = chosen(np.asarray(expected).dtype, rtol, atol)
    if not entries_close(np.asarray(got, dtype=np.float64), np.asarray(expected, dtype=np.float64), tolerance).all():
        raise AssertionError(f"{what}: got {float(got):.6g}, expected {float(expected):.6g}")


def assert_equal(got: object, expected: object, what: str = "the result") -> None:
    """Assert that `got` is exactly `expected`: for masks, integers, infinities and text.

    Raises:
        AssertionError: With both shapes and dtypes and the first entry that differs.
    """
    if is_tensor(expected):
        _require_like(got, expected, what)
        return assert_equal(numbers_of(got), numbers_of(expected), what)
    if not isinstance(expected, np.ndarray):
        if not identical(got, expected, what):
            raise AssertionError(f"{what}: got {got!r:.200}, expected {expected!r:.200}")
        return None
    have = as_array(got, shape=expected.shape, dtype=expected.dtype, what=what)
    bad = ~entries_close(have, expected, EXACT)
    if bad.any():
        raise Differs(f"{what}: {_worst(have, expected, bad)}", lambda: around(have, expected, bad, first_true(bad)))
    return None


def assert_finite(got: object, what: str = "the result") -> None:
    """Assert that no entry is NaN or infinite.

    Raises:
        AssertionError: With how many are, and the first.
    """
    have = as_array(plain(got), what=what)
    bad = ~np.isfinite(have)
    if bad.any():
        index = first_true(bad)
        raise AssertionError(
            f"{what}: {int(bad.sum())} of {bad.size} entries are not finite; first at {list(index)}: {have[index]}"
        )
