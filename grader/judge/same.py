"""Are two outcomes of a call the same, to a tolerance? The question every diagnosis is made of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.judge.record import Outcome
from grader.testing.close import entries_close
from grader.testing.tensors import is_tensor, numbers_of
from grader.testing.tolerance import Tolerance, tolerance_for
from grader.wire.copies import same_entries
from grader.wire.records import Record, fields_of, name_of
from grader.wire.tensors import is_generator
from grader.wire.values import Handle


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
        "RuntimeError",
    )
    types = outcome.raised.types if outcome.raised else ()
    found = next((name for name in known if name in types), types[0] if types else None)
    # What torch itself raises for shapes that do not fit, where the template's own check raises the other.
    return "ValueError" if found == "RuntimeError" else found


def same_value(got: Any, other: Any, tolerance: Tolerance, factor: float = 1.0) -> bool:  # noqa: ANN401  # any value that crosses the wire
    """Return whether two values have the same structure, shapes, dtypes and, to tolerance, numbers."""
    if got is other:
        return True
    same = next((same for kind, same in _KINDS if kind(got) and kind(other)), None)
    if same is not None:
        return same(got, other, tolerance, factor)
    return type(got) is type(other) and _is_plain(got) and bool(got == other)


def same_kinds(got: Any, other: Any) -> bool:  # noqa: ANN401  # likewise
    """Return whether numbers of two values are ints in the same places, as far as the values have places in common.

    To `same_value` 3.0 is 3, for a mistake is the same mistake in either; but where 3 is right, 3.0 can be the mistake.
    """
    if isinstance(got, Record) and isinstance(other, Record):
        return same_kinds(fields_of(got), fields_of(other))
    if isinstance(got, dict) and isinstance(other, dict):
        return all(same_kinds(got[key], other[key]) for key in got.keys() & other.keys())
    if isinstance(got, list | tuple) and isinstance(other, list | tuple):
        return all(same_kinds(a, b) for a, b in zip(got, other, strict=False))
    if is_number(got) and is_number(other):
        return isinstance(got, int | np.integer) == isinstance(other, int | np.integer)
    return True


def is_number(value: object) -> bool:
    """Return whether a value is a real number that a float can hold: a student's integer may have any length."""
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() < sys.float_info.max_exp
    return isinstance(value, float | np.floating | np.integer)


def _same_arrays(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # two arrays
    if same_entries(got, other):
        return True
    return got.shape == other.shape and got.dtype == other.dtype and bool(_close(got, other, tolerance, factor).all())


def _same_tensors(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # two tensors
    alike: bool = got.dtype == other.dtype
    return same_entries(got, other) or (alike and _same_arrays(numbers_of(got), numbers_of(other), tolerance, factor))


def _same_lists(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # lists or tuples
    return len(got) == len(other) and all(same_value(a, b, tolerance, factor) for a, b in zip(got, other, strict=True))


def _same_dicts(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # two dicts
    return got.keys() == other.keys() and all(same_value(got[key], other[key], tolerance, factor) for key in got)


def _same_records(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # two records
    return name_of(got) == name_of(other) and _same_dicts(fields_of(got), fields_of(other), tolerance, factor)


def _same_objects(got: Any, other: Any, _: Tolerance, __: float) -> bool:  # noqa: ANN401  # two handles
    return bool(got.id == other.id)  # their classes may have any name


def _same_generators(_: Any, __: Any, ___: Tolerance, ____: float) -> bool:  # noqa: ANN401  # two generators
    return True  # what was drawn is in the values; how many numbers that took is a matter of style


def _same_numbers(got: Any, other: Any, tolerance: Tolerance, factor: float) -> bool:  # noqa: ANN401  # two real numbers
    if isinstance(got, int | np.integer) and isinstance(other, int | np.integer):
        return bool(got == other)  # a count is no matter of tolerance
    return bool(_close(np.asarray(got, dtype=np.float64), np.asarray(other, dtype=np.float64), tolerance, factor).all())


def _of(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


_KINDS: list[tuple[Callable[[object], bool], Callable[[Any, Any, Tolerance, float], bool]]] = [
    (is_tensor, _same_tensors),
    (_of(np.ndarray), _same_arrays),
    (_of(list, tuple), _same_lists),
    (_of(dict), _same_dicts),
    (_of(Record), _same_records),
    (_of(Handle), _same_objects),
    (lambda value: isinstance(value, np.random.Generator) or is_generator(type(value)), _same_generators),
    (is_number, _same_numbers),
]


def _is_plain(value: object) -> bool:
    """Whether `==` gives one answer: that of two tensors can be an array larger than both."""
    return isinstance(value, np.generic) or not hasattr(type(value), "__array__")


def _close(
    got: np.ndarray[Any, Any], other: np.ndarray[Any, Any], tolerance: Tolerance, factor: float
) -> np.ndarray[Any, Any]:
    return entries_close(got, other, tolerance_for(other.dtype).wider(tolerance).scaled(factor))
