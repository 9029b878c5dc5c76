"""Is it the right kind of thing? Asked before any value is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.testing.bounded import MOST_ENTRIES, Array, entries
from grader.testing.objects import Object
from grader.testing.tensors import dtype_name, is_tensor
from grader.wire.records import Record, name_of


def describe(value: object) -> str:
    """Say what a value is, without showing what is in it."""
    known = next((say(value) for kind, say in _KNOWN if kind(value)), None)
    return known or f"a {type(value).__name__}"


_KNOWN: list[tuple[Callable[[object], bool], Callable[[Any], str]]] = [
    (lambda value: type(value) is np.ndarray, lambda a: f"an array of shape {a.shape} and dtype {a.dtype}"),
    (is_tensor, lambda t: f"a tensor of shape {tuple(t.shape)} and dtype {dtype_name(t)}"),
    (lambda value: isinstance(value, np.generic), lambda n: f"a NumPy {type(n).__name__}"),
    (lambda value: value is None, lambda _: "None (is a `return` missing?)"),
    (lambda value: isinstance(value, list | tuple | dict), lambda c: f"a {type(c).__name__} of {len(c)}"),
    (lambda value: isinstance(value, Record), lambda r: f"a {name_of(r)}"),
    (lambda value: isinstance(value, Object), lambda o: f"an object of a class {o.handle.type} of your own"),
]


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
    _require_shape(got.shape, shape, what)
    if dtype is not None and got.dtype != np.dtype(dtype):  # type: ignore[call-overload]  # any dtype-like is welcome
        raise AssertionError(f"{what} has dtype {got.dtype}, expected {np.dtype(dtype)}")  # type: ignore[call-overload]  # likewise
    return got


def as_tensor(got: Any, *, shape: tuple[int, ...] | None = None, dtype: object = None, what: str = "the result") -> Any:  # noqa: ANN401  # torch is not imported here, not even for its types
    """Return `got` as the tensor it must be.

    Args:
        got: What a submission returned.
        shape: The shape that it must have.
        dtype: The dtype of torch that it must have.
        what: How to call it in a message.

    Raises:
        AssertionError: It is no tensor, its shape or dtype is not the one asked for, or it has more entries than a test looks at.
    """
    if not is_tensor(got):
        raise AssertionError(f"{what} should be a tensor, got {describe(got)}")
    _require_shape(tuple(got.shape), shape, what)
    if dtype is not None and got.dtype != dtype:
        raise AssertionError(f"{what} has dtype {dtype_name(got)}, expected {str(dtype).removeprefix('torch.')}")
    return got


def _require_shape(got: tuple[int, ...], shape: tuple[int, ...] | None, what: str) -> None:
    if shape is not None and got != shape:
        raise AssertionError(f"{what} has shape {got}, expected {shape}{_shape_remark(got, shape)}")
    if entries(got) > MOST_ENTRIES:
        raise AssertionError(f"{what} has shape {got}: more than the {MOST_ENTRIES} entries that a test looks at")


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


def assert_record(got: object, name: str, what: str = "the result") -> Record:
    """Return `got` as an object of a class that the assignment gives, with its fields as attributes.

    Raises:
        AssertionError: It is something else.
    """
    if not isinstance(got, Record) or name_of(got) != name:
        raise AssertionError(f"{what} should be a {name}, got {describe(got)}")
    return got
