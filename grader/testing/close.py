"""Comparisons of values, with messages a student can act on."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.testing.around import Differs, around
from grader.testing.bounded import Array, first_true, numbers
from grader.testing.plain import identical
from grader.testing.structure import as_array, as_tensor, describe
from grader.testing.telling import say
from grader.testing.tensors import is_tensor, numbers_of, plain
from grader.testing.tolerance import EXACT, Tolerance, chosen
from grader.words import tests as words

_INEXACT = "fc"
# The last tells any two numbers of float64 apart.
_DIGITS = (6, 9, 12, 17)


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
        raise Differs(
            say(words.ENTRIES, what=what, told=_worst(have, want, bad)),
            lambda: around(have, want, bad, first_true(bad)),
        )
    return None


def _require_like(got: Any, expected: Any, what: str) -> None:  # noqa: ANN401  # tensors
    as_tensor(got, shape=tuple(expected.shape), dtype=expected.dtype, what=what)


def entries_close(got: Array, expected: Array, tolerance: Tolerance) -> Array:
    """Return, entry by entry, whether `got` is close to `expected` (same shape, any numeric dtype)."""
    if expected.dtype.kind not in _INEXACT or got.dtype.kind not in _INEXACT:
        return np.asarray(got == expected)
    with np.errstate(all="ignore"):
        wide = np.result_type(got.dtype, np.float64)
        have, want = got.astype(wide, copy=False), expected.astype(wide, copy=False)
        near = np.abs(have - want) <= tolerance.atol + tolerance.rtol * np.abs(want)
    finite = np.isfinite(got) & np.isfinite(expected)
    if finite.all():
        return np.asarray(near)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    return np.asarray(np.where(finite, near, same))


def _worst(got: Array, expected: Array, bad: Array) -> str:
    first, between = _first(got, expected, first_true(bad)), say(words.BETWEEN)
    share = say(words.DIFFER, count=int(bad.sum()), of=bad.size)
    if np.isnan(got).any() and not np.isnan(expected).any():
        return f"{say(words.ARE_NAN, count=int(np.isnan(got).sum()), of=got.size)}{between}{first}"
    if got.dtype == bool:
        return f"{share}{between}{first}"
    with np.errstate(all="ignore"):
        wide = np.result_type(got.dtype, np.float64)
        error = np.abs(got.astype(wide) - expected.astype(wide))[bad]
        size = np.abs(expected.astype(wide))[bad]
        relative = error[size != 0] / size[size != 0]
    # Beside an expected 0 every error is infinitely large.
    said = words.WORST if relative.size else words.WORST_ABSOLUTE
    return between.join([share, first, say(said, absolute=_largest(error), relative=_largest(relative))])


def _first(got: Array, expected: Array, index: tuple[int, ...]) -> str:
    """The first entry that differs, on both sides; of a single number no place."""
    if got.dtype == bool and got.ndim:
        mine, right = str(bool(got[index])), str(bool(expected[index]))
    else:
        mine, right = _told_apart(got[index], expected[index])
    if not got.ndim:
        return say(words.ONLY, got=mine, expected=right)
    return say(words.FIRST, place=list(index), got=mine, expected=right)


def _told_apart(got: Any, expected: Any) -> tuple[str, str]:  # noqa: ANN401  # any numbers
    """Two numbers, with as many digits as it takes to see that they differ, and six at least."""
    pairs = [(f"{got:.{digits}g}", f"{expected:.{digits}g}") for digits in _DIGITS]
    return next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])


def _largest(errors: Array) -> str:
    known = errors[~np.isnan(errors)]
    return f"{known.max():.3g}" if known.size else say(words.UNDEFINED)


def _assert_number(got: object, expected: Any, *, rtol: float | None, atol: float | None, what: str) -> None:  # noqa: ANN401  # any number
    got = plain(got)
    if isinstance(got, np.ndarray) and got.ndim == 0:
        got = got[()]
    if isinstance(got, bool) or not isinstance(got, float | int | np.floating | np.integer):
        raise AssertionError(say(words.NOT_A_NUMBER, what=what, got=describe(got)))
    tolerance = chosen(np.asarray(expected).dtype, rtol, atol)
    if not entries_close(np.asarray(got, dtype=np.float64), np.asarray(expected, dtype=np.float64), tolerance).all():
        mine, right = _told_apart(float(got), float(expected))
        raise AssertionError(say(words.VALUE, what=what, got=mine, expected=right))


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
            raise AssertionError(say(words.VALUE, what=what, got=f"{got!r:.200}", expected=f"{expected!r:.200}"))
        return None
    have = as_array(got, shape=expected.shape, dtype=expected.dtype, what=what)
    bad = ~entries_close(have, expected, EXACT)
    if bad.any():
        raise Differs(
            say(words.ENTRIES, what=what, told=_worst(have, expected, bad)),
            lambda: around(have, expected, bad, first_true(bad)),
        )
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
            say(
                words.NOT_FINITE_FIRST,
                what=what,
                count=int(bad.sum()),
                of=bad.size,
                place=list(index),
                got=have[index],
            )
        )
