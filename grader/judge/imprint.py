"""A request as a key, and an outcome as a few numbers: what a fingerprint is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np
from pydantic import Field

from grader.judge.record import Call, Outcome, Request, handles_in
from grader.judge.same import error_class, is_number, same_value
from grader.model.manifest import Strict
from grader.testing.close import entries_close
from grader.testing.tensors import dtype_name, is_tensor, plain
from grader.testing.tolerance import EXACT, FLOAT32, FLOAT64, Tolerance
from grader.wire.records import Record, fields_of, name_of, replaced
from grader.wire.values import Handle

_ENTRIES = 24
_NONFINITE = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
_COARSE = re.compile(r"\b(float16|bfloat16|float32|complex64)\b")


class Imprint(Strict):
    """What is kept of an outcome: its structure, a few entries, and whether it changed its arguments."""

    raised: str | None = Field(None, description="The class of the exception, where one was raised")
    structure: str = ""
    entries: list[float | str] = Field(
        default=[], description="Evenly spaced over all numbers of the value; not finite ones by name"
    )
    touched: bool = False


def imprint(request: Request, outcome: Outcome) -> Imprint:
    """Return what is kept of an outcome."""
    if outcome.raised is not None:
        return Imprint(raised=error_class(outcome))
    untouched = same_value([*request.args, request.kwargs], [*outcome.args, outcome.kwargs], EXACT)
    numbers = np.concatenate([np.zeros(0), *_numbers(outcome.value)])
    return Imprint(
        structure=structure(outcome.value),
        entries=[_entry(numbers[place]) for place in _places(len(numbers))],
        touched=not untouched,
    )


@cache
def _places(count: int) -> list[int]:
    """Return which of so many numbers are kept: evenly spaced ones, the first and the last among them."""
    spaced = np.linspace(0, count - 1, _ENTRIES if count else 0).round().astype(int)
    return [int(place) for place in np.unique(spaced)]


def policy(kept: Imprint) -> Tolerance:
    """Return the tolerance for values of an imprint's precision."""
    return FLOAT32 if _COARSE.search(kept.structure) else FLOAT64


def same_imprint(got: Imprint, other: Imprint, tolerance: Tolerance, *, factor: float = 1.0) -> bool:
    """Return whether two imprints agree; tolerance and factor are those of `same_outcome`."""
    if (got.raised, got.structure, got.touched) != (other.raised, other.structure, other.touched):
        return False
    mine, theirs = _values(got), _values(other)
    wide = policy(other).wider(tolerance).scaled(factor)
    return mine.shape == theirs.shape and bool(entries_close(mine, theirs, wide).all())


def request_keys(calls: Iterable[Call]) -> Iterator[str]:
    """Yield a digest of each call, the same on every machine, by what was asked and what the objects in it went through before.

    Args:
        calls: Calls of whole tests, in order.
    """
    past: dict[int, str] = {}
    for call in calls:
        key = request_key(call.request, past)
        yield key
        past |= {handle.id: f"{past.get(handle.id)} {key}" for handle in handles_in(_parts(call.request))}
        past |= {handle.id: f"{key} {place}" for place, handle in enumerate(handles_in(call.outcome.value))}


def request_key(request: Request, past: Mapping[int, str] = MappingProxyType({})) -> str:
    """Return the digest of one request: six digits of each number are enough to know it by.

    Args:
        request: The request.
        past: What the objects in it went through, by the number of their handle.
    """
    asked = replaced(_parts(request), lambda part: past.get(part.id) if isinstance(part, Handle) else part)
    parts = [request.function, structure(asked)]
    # Adding 0 makes a 0 of -0.
    parts += [f"{number + 0:.5e}" for numbers in _numbers(asked) for number in numbers]
    return sha256(" ".join(parts).encode()).hexdigest()[:32]


def _parts(request: Request) -> list[Any]:
    parts = [*request.args, request.kwargs]
    if request.gradient is not None:
        parts += [request.gradient.wrt, request.gradient.cotangents]
    return parts if request.on is None else [request.on, *parts]


def structure(value: Any) -> str:  # noqa: ANN401  # any value that crosses the wire
    """Describe the shape of a value: `dict(A: float64[2, 2], Z: float64[2, 1])`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if is_tensor(value):
        return f"torch.{dtype_name(value)}{list(value.shape)}"
    if isinstance(value, dict | Record):
        kind, parts = (name_of(value), fields_of(value)) if isinstance(value, Record) else ("dict", value)
        return f"{kind}({', '.join(f'{key}: {structure(parts[key])}' for key in sorted(parts, key=str))})"
    if isinstance(value, list | tuple):
        return f"list({', '.join(map(structure, value))})"
    if isinstance(value, bool | np.bool_ | str | None):
        return repr(bool(value) if isinstance(value, np.bool_) else value)
    return _structure_of_one(value)


def _structure_of_one(value: object) -> str:
    if is_number(value):
        return "number"
    return hex(value) if isinstance(value, int) else _kind(value)


def _kind(value: object) -> str:
    """Describe a function that a test lends by the place where it is written and what it was made around; else the class."""
    if not isinstance(value, FunctionType):
        return type(value).__name__
    place = f"{value.__qualname__}:{value.__code__.co_firstlineno}"
    return f"{place}({', '.join(map(structure, _around(value)))})"


def _around(function: FunctionType) -> list[Any]:
    """What a function was made around; one that calls itself is not told again."""
    return [cell.cell_contents for cell in function.__closure__ or () if cell.cell_contents is not function]


def _numbers(value: Any) -> Iterator[np.ndarray[Any, Any]]:  # noqa: ANN401  # likewise
    """All numbers in a value, part by part, as float64; a complex one is two."""
    value = plain(value)
    if isinstance(value, np.ndarray | np.complexfloating | complex) or is_number(value):
        flat = np.ravel(np.asarray(value))
        yield (flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat).astype(np.float64)
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _numbers(value[key])
    elif isinstance(value, Record):
        yield from _numbers(fields_of(value))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, FunctionType):
        yield from _numbers(_around(value))


def _entry(number: float) -> float | str:
    return float(f"{number:.9g}") if np.isfinite(number) else str(float(number))


def _values(kept: Imprint) -> np.ndarray[Any, Any]:
    return np.array(
        [_NONFINITE.get(entry, np.nan) if isinstance(entry, str) else entry for entry in kept.entries], dtype=np.float64
    )
