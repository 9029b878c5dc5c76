"""Is it the right kind of thing? Asked before any value is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.testing.bounded import MOST_ENTRIES, Array, entries


def describe(value: object) -> str:
    """Say what a value is, without showing what is in it."""
    if type(value) is np.ndarray:
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    if isinstance(value, np.generic):
        return f"a NumPy {type(value).__name__}"
    if value is None:
        return "None (is a `return` missing?)"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__name__}"


def as_array(
    got: object, *, shape: tuple[int, ...] | None = None, dtype: object = None, what: str = "the result"
) -> Array:
    """Return `got` as the array it must be.

    Raises:
        AssertionError: It is no array, its shape or dtype is not the one asked for, or it has more entries than a test looks at.
    """
    # A subclass may answer as it likes when it is compared.
    if type(got) is not np.ndarray:
        raise AssertionError(f"{what} should be a NumPy array, got {describe(got)}")
    if shape is not None and got.shape != shape:
        raise AssertionError(f"{what} has shape {got.shape}, expected {shape}{_shape_remark(got.shape, shape)}")
    if entries(got.shape) > MOST_ENTRIES:
        raise AssertionError(f"{what} has shape {got.shape}: more than the {MOST_ENTRIES} entries that a test looks at")
    if dtype is not None and got.dtype != np.dtype(dtype):  # type: ignore[call-overload]  # any dtype-like is welcome
        raise AssertionError(f"{what} has dtype {got.dtype}, expected {np.dtype(dtype)}")  # type: ignore[call-overload]  # likewise
    return got


def _shape_remark(got: tuple[int, ...], expected: tuple[int, ...]) -> str:
    if sorted(got) == sorted(expected):
        return ": the axes are there, in another order"
    if [n for n in got if n != 1] == [n for n in expected if n != 1]:
        return ": an axis of length 1 is missing or too many"
    return ""


def assert_tuple(got: object, length: int, what: str = "the result") -> tuple[Any, ...]:
    """Return `got` as a tuple (or list) of `length` parts.

    Raises:
        AssertionError: It is neither, or of another length.
    """
    if not isinstance(got, tuple | list):
        raise AssertionError(f"{what} should be a tuple of {length}, got {describe(got)}")
    if len(got) != length:
        raise AssertionError(f"{what} should be a tuple of {length}, got {len(got)}")
    return tuple(got)


def assert_keys(got: object, *keys: str, what: str = "the result") -> Mapping[str, Any]:
    """Return `got` as a dict with exactly `keys`, in any order.

    Raises:
        AssertionError: It is no dict, or a key is missing or too many.
    """
    if not isinstance(got, dict):
        raise AssertionError(f"{what} should be a dict with the keys {', '.join(keys)}, got {describe(got)}")
    if missing := [key for key in keys if key not in got]:
        raise AssertionError(f"{what} lacks the key {missing[0]!r}; it has {', '.join(map(repr, got)) or 'none'}")
    if extra := [key for key in got if key not in keys]:
        raise AssertionError(f"{what} has a key {extra[0]!r} that was not asked for; the keys are {', '.join(keys)}")
    return got
