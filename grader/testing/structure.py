"""Is it the right kind of thing? Asked before any value is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.testing.bounded import MOST_ENTRIES, Array, entries
from grader.testing.objects import Object
from grader.testing.telling import returned_none, say
from grader.testing.tensors import dtype_name, is_tensor
from grader.wire.records import Record, name_of
from grader.words import tests as words


def describe(value: object) -> str:
    """Say what a value is, without showing what is in it; of None, that a `return` may be missing, where a call returned it."""
    if value is None:
        return say(words.NO_RETURN) if returned_none() else "None"
    known = next((say(value) for kind, say in _KNOWN if kind(value)), None)
    return known or say(words.A_KIND, kind=type(value).__name__)


_KNOWN: list[tuple[Callable[[object], bool], Callable[[Any], str]]] = [
    (lambda value: type(value) is np.ndarray, lambda a: say(words.ARRAY, shape=a.shape, dtype=a.dtype)),
    (is_tensor, lambda t: say(words.TENSOR, shape=tuple(t.shape), dtype=dtype_name(t))),
    (lambda value: isinstance(value, np.generic), lambda n: say(words.NUMPY_NUMBER, kind=type(n).__name__)),
    (
        lambda value: isinstance(value, list | tuple | dict),
        lambda c: say(words.COLLECTION, kind=type(c).__name__, count=len(c)),
    ),
    (lambda value: isinstance(value, Record), lambda r: say(words.A_KIND, kind=name_of(r))),
    (lambda value: isinstance(value, Object), lambda o: say(words.AN_OBJECT, kind=o.handle.type)),
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
        raise AssertionError(say(words.NOT_AN_ARRAY, what=what, got=describe(got)))
    _require_shape(got.shape, shape, what)
    if dtype is not None and got.dtype != np.dtype(dtype):  # type: ignore[call-overload]  # any dtype-like is welcome
        raise AssertionError(say(words.DTYPE, what=what, got=got.dtype, expected=np.dtype(dtype)))  # type: ignore[call-overload]  # likewise
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
        raise AssertionError(say(words.NOT_A_TENSOR, what=what, got=describe(got)))
    _require_shape(tuple(got.shape), shape, what)
    if dtype is not None and got.dtype != dtype:
        raise AssertionError(
            say(words.DTYPE, what=what, got=dtype_name(got), expected=str(dtype).removeprefix("torch."))
        )
    return got


def _require_shape(got: tuple[int, ...], shape: tuple[int, ...] | None, what: str) -> None:
    if shape is not None and got != shape:
        raise AssertionError(say(words.SHAPE, what=what, got=got, expected=shape, remark=_shape_remark(got, shape)))
    if entries(got) > MOST_ENTRIES:
        raise AssertionError(say(words.TOO_MANY, what=what, got=got, most=MOST_ENTRIES))


def _shape_remark(got: tuple[int, ...], expected: tuple[int, ...]) -> str:
    if sorted(got) == sorted(expected):
        return say(words.ANOTHER_ORDER)
    if [n for n in got if n != 1] == [n for n in expected if n != 1]:
        return say(words.AN_AXIS_OF_ONE)
    return ""


def assert_tuple(got: object, length: int, what: str = "the result") -> tuple[Any, ...]:
    """Return `got` as a tuple (or list) of `length` parts.

    Raises:
        AssertionError: It is neither, or of another length.
    """
    if not isinstance(got, tuple | list):
        raise AssertionError(say(words.NOT_A_TUPLE, what=what, length=length, got=describe(got)))
    if len(got) != length:
        raise AssertionError(say(words.NOT_A_TUPLE, what=what, length=length, got=len(got)))
    return tuple(got)


def assert_keys(got: object, *keys: str, what: str = "the result") -> Mapping[str, Any]:
    """Return `got` as a dict with exactly `keys`, in any order.

    Raises:
        AssertionError: It is no dict, or a key is missing or too many.
    """
    if not isinstance(got, dict):
        raise AssertionError(say(words.NOT_A_DICT, what=what, keys=", ".join(keys), got=describe(got)))
    if missing := [key for key in keys if key not in got]:
        raise AssertionError(
            say(words.NO_KEY, what=what, key=repr(missing[0]), keys=", ".join(map(repr, got)) or say(words.NO_KEYS))
        )
    if extra := [key for key in got if key not in keys]:
        raise AssertionError(say(words.A_STRANGE_KEY, what=what, key=repr(extra[0]), keys=", ".join(keys)))
    return got


def assert_record(got: object, name: str, what: str = "the result") -> Record:
    """Return `got` as an object of a class that the assignment gives, with its fields as attributes.

    Raises:
        AssertionError: It is something else.
    """
    if not isinstance(got, Record) or name_of(got) != name:
        raise AssertionError(say(words.NOT_A_RECORD, what=what, kind=name, got=describe(got)))
    return got
