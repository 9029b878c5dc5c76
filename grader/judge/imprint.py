"""A request as a key, and an outcome as a few numbers: what a fingerprint is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np
from pydantic import Field

from grader.judge.record import Outcome, Request
from grader.judge.same import error_class, is_number, same_value
from grader.model.manifest import Strict
from grader.testing.close import entries_close
from grader.testing.tolerance import EXACT, FLOAT32, FLOAT64, Tolerance

_ENTRIES = 24
_NONFINITE = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}
_COARSE = re.compile(r"\b(float16|float32|complex64)\b")


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
    places = np.unique(np.linspace(0, len(numbers) - 1, _ENTRIES if len(numbers) else 0).round().astype(int))
    return Imprint(
        structure=structure(outcome.value), entries=[_entry(numbers[place]) for place in places], touched=not untouched
    )


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


def request_key(request: Request) -> str:
    """Return a digest of a call that is the same on every machine: six digits of each number are enough to know it by."""
    parts = [request.function, structure([*request.args, request.kwargs])]
    # Adding 0 makes a 0 of -0.
    parts += [f"{number + 0:.5e}" for numbers in _numbers([*request.args, request.kwargs]) for number in numbers]
    return sha256(" ".join(parts).encode()).hexdigest()[:32]


def structure(value: Any) -> str:  # noqa: ANN401  # any value that crosses the wire
    """Describe the shape of a value: `dict(A: float64[2, 2], Z: float64[2, 1])`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{key}: {structure(value[key])}' for key in sorted(value, key=str))})"
    if isinstance(value, list | tuple):
        return f"list({', '.join(map(structure, value))})"
    if isinstance(value, bool | np.bool_ | str | None):
        return repr(bool(value) if isinstance(value, np.bool_) else value)
    if is_number(value):
        return "number"
    return hex(value) if isinstance(value, int) else type(value).__name__


def _numbers(value: Any) -> Iterator[np.ndarray[Any, Any]]:  # noqa: ANN401  # likewise
    """All numbers in a value, part by part, as float64; a complex one is two."""
    if isinstance(value, np.ndarray | np.complexfloating | complex) or is_number(value):
        flat = np.ravel(np.asarray(value))
        yield (flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat).astype(np.float64)
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _numbers(value[key])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _numbers(each)


def _entry(number: float) -> float | str:
    return float(f"{number:.9g}") if np.isfinite(number) else str(float(number))


def _values(kept: Imprint) -> np.ndarray[Any, Any]:
    return np.array(
        [_NONFINITE.get(entry, np.nan) if isinstance(entry, str) else entry for entry in kept.entries], dtype=np.float64
    )
