"""Are two plain values the same? Asked part by part, for one `==` of two lists lets NumPy make arrays of what is in them."""

from __future__ import annotations

import numpy as np

from grader.wire.records import Record, fields_of, name_of


def identical(got: object, expected: object, what: str) -> bool:
    """Return whether two values are of one type and equal, as numbers and containers of the same kind are.

    Raises:
        TypeError: There are arrays in them, which `==` does not compare.
    """
    return type(got) is type(expected) and _equal(got, expected, what)


def _equal(got: object, expected: object, what: str) -> bool:
    if isinstance(expected, list | tuple):
        return (
            isinstance(got, type(expected))
            and len(got) == len(expected)
            and all(_equal(mine, theirs, what) for mine, theirs in zip(got, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(_equal(got[key], expected[key], what) for key in expected)
        )
    if isinstance(expected, Record):
        return (
            isinstance(got, Record)
            and name_of(got) == name_of(expected)
            and _equal(fields_of(got), fields_of(expected), what)
        )
    if isinstance(got, list | tuple | dict | Record):
        return False
    if _is_array(got) or _is_array(expected):
        raise TypeError(f"{what} cannot be compared whole: there is an array in it")
    return bool(got == expected)


def _is_array(value: object) -> bool:
    return hasattr(type(value), "__array__") and not isinstance(value, np.generic)
