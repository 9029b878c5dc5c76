"""Recorded calls of whole tests, ready to be made again: each is known by what was asked, and by all that was asked before in its test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from grader.judge.record import Call, handles_in
from grader.wire.errors import Unsendable
from grader.wire.records import Record, fields_of, name_of
from grader.wire.tensors import is_generator, is_tensor, state, take
from grader.wire.values import Handle


class Recorded(Protocol):
    """A call, and the test that made it."""

    @property
    def call(self) -> Call:
        """The call."""
        ...

    @property
    def test(self) -> str:
        """The id of the test."""
        ...


@dataclass(frozen=True)
class Line:
    """One call of a script.

    Args:
        call: The call.
        begins: Whether it is the first of its test.
        key: What only an equal call after equal ones has; None where something was passed that is not known by its value,
            such as a function, here or before.
        places: From the number of a handle to its place among all that the test was given, counted from 1.
    """

    call: Call
    begins: bool
    key: bytes | None
    places: dict[int, int]


def lines(recorded: Iterable[Recorded]) -> list[Line]:
    """Return the lines of calls in order, those of each test one after the other."""
    found: list[Line] = []
    test, past, places = None, None, dict[int, int]()
    for each in recorded:
        begins = each.test != test
        if begins:
            test, past, places = each.test, b"", {}
        past = None if past is None else _key(past, each.call, places)
        found.append(Line(each.call, begins, past, places))
    return found


def _key(past: bytes, call: Call, places: dict[int, int]) -> bytes | None:
    request = call.request
    gradient = request.gradient and (request.gradient.wrt, request.gradient.cotangents)
    try:
        asked = _known_by([request.function, request.reads, request.on, request.args, request.kwargs, gradient], places)
    except (TypeError, Unsendable):
        return None
    for handle in handles_in(call.outcome.value):
        places.setdefault(handle.id, len(places) + 1)
    # What later calls mean by an object depends on where it stood.
    return sha256(past + repr((asked, _standing(call.outcome.value, places))).encode()).digest()


def _known_by(value: Any, places: dict[int, int]) -> object:  # noqa: ANN401, PLR0911  # any value that a test may pass, one kind after the other
    """Return what only an equal value of the same type has, or raise `TypeError`."""
    kind = type(value)
    if kind is Handle and value.id in places:
        return "object", places[value.id]
    if kind is np.ndarray and value.dtype.kind in "biufc":
        return value.dtype.str, value.shape, sha256(value.tobytes()).digest()
    if is_tensor(kind):
        array, dtype = take(value)
        return dtype, array.shape, sha256(array.tobytes()).digest()
    if is_generator(kind):
        return "generator", sha256(state(value).tobytes()).digest()
    if kind is dict:
        return "dict", [(_known_by(name, places), _known_by(value[name], places)) for name in value]
    if kind is Record:
        return name_of(value), _known_by(fields_of(value), places)
    if kind is list or kind is tuple:
        return kind.__name__, [_known_by(part, places) for part in value]
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return kind.__name__, repr(value)
    raise TypeError(f"a {kind.__name__} is not a plain value")


def _standing(value: Any, places: dict[int, int]) -> object:  # noqa: ANN401  # any value that crosses the wire
    """Return where in a value there are which objects."""
    if isinstance(value, Handle):
        return places[value.id]
    parts = enumerate(value) if isinstance(value, list | tuple) else value.items() if isinstance(value, dict) else ()
    return [(name, found) for name, part in parts if (found := _standing(part, places))]
