"""The arguments of a call in a few words: small values as they are, of others the shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

import numpy as np

from grader.testing.structure import describe
from grader.testing.telling import parameters_of, say
from grader.testing.tensors import is_tensor, numbers_of
from grader.wire.records import Record, fields_of, name_of
from grader.words import tests as words

_MOST_ENTRIES, _MOST_LETTERS = 6, 80
_PLAIN = (bool, int, float, str, type(None), np.generic)


def told_arguments(function: str, args: Sequence[object], kwargs: Mapping[str, object]) -> str:
    """Return what a function was called with, each argument by the name that the function gives it."""
    names = list(parameters_of(function))[: len(args)]
    told = [_argument(name, value) for name, value in zip_longest(names, args)]
    told += [_argument(name, value) for name, value in kwargs.items()]
    return ", ".join(told) or say(words.NO_ARGUMENTS)


def _argument(name: str | None, value: object) -> str:
    shown = _value(value)
    if shown is not None:
        return f"{name} = {shown}" if name else shown
    if name and (is_tensor(value) or isinstance(value, np.ndarray)):
        return say(words.OF_SHAPE, name=name, shape=tuple(getattr(value, "shape", ())))
    return f"{name}: {describe(value)}" if name else describe(value)


def _value(value: object) -> str | None:
    """A value as it is written; None where that would be long."""
    if is_tensor(value):
        value = numbers_of(value)
    if type(value) is np.ndarray:
        return _entries(value.tolist()) if 0 < value.size <= _MOST_ENTRIES else None
    if isinstance(value, Record):
        fields = ", ".join(f"{name}={_value(part) or '...'}" for name, part in fields_of(value).items())
        return f"{name_of(value)}({fields})"
    if isinstance(value, list | tuple):
        return _collection(value) if len(value) <= _MOST_ENTRIES else None
    if not isinstance(value, _PLAIN):
        return None
    written = (
        f"{value:.6g}" if isinstance(value, float) else str(value) if isinstance(value, np.generic) else repr(value)
    )
    return written if len(written) <= _MOST_LETTERS else None


def _entries(value: object) -> str:
    """Numbers in brackets, those with a point by four digits."""
    if isinstance(value, list):
        return f"[{', '.join(map(_entries, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _collection(parts: Sequence[object]) -> str | None:
    written = [*_written(parts)]
    opening, closing = ("[", "]") if isinstance(parts, list) else ("(", ",)" if len(parts) == 1 else ")")
    whole = f"{opening}{', '.join(written)}{closing}"
    return whole if len(written) == len(parts) and len(whole) <= _MOST_LETTERS else None


def _written(parts: Sequence[object]) -> Iterator[str]:
    yield from (shown for part in parts if (shown := _value(part)) is not None)
