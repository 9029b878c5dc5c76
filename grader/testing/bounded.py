"""What of a submission's values is ever computed with: plain numbers, and so many that a comparison of them costs little.

The judge compares in its own memory. What crosses to it small can be made to grow there: a few long strings become an
array of gigabytes, a million rows without a column become a million sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.wire.arrays import span

Array = np.ndarray[Any, np.dtype[Any]]

# A hundred times what suites ask for; the temporary arrays of a comparison then take a few hundred MiB at most.
MOST_ENTRIES = 1 << 22
_NUMBERS = (bool, int, float, complex, np.generic)


def entries(shape: tuple[int, ...]) -> int:
    """Return how many entries an array counts for: an empty axis hides none, for a sum along it is as long as the others."""
    return span(shape, 1)


def numbers(value: object, what: str) -> Array:
    """Return numbers as an array: an array of them, a number, or a list of such.

    Args:
        value: What they are compared with; a submission's own, where a test compares two of its answers.
        what: How to call the comparison in a message.

    Raises:
        TypeError: It is something else, or more than `MOST_ENTRIES`.
    """
    _count(value, what)
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{what} is compared with what is no array of numbers (dtype {array.dtype})")
    return array


def _count(value: object, what: str) -> None:
    """Look at every part before any is converted: NumPy turns all into text, or objects, where one of them is."""
    waiting, total = [value], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | tuple):
            waiting.extend(part)
        elif type(part) is np.ndarray:
            total += entries(part.shape)
        elif isinstance(part, _NUMBERS):
            total += 1
        else:
            raise TypeError(f"{what} is compared with a {type(part).__name__}, where numbers should be")
        if total > MOST_ENTRIES:
            raise TypeError(f"{what} is compared with more than the {MOST_ENTRIES} entries that a test looks at")


def first_true(bad: Array) -> tuple[int, ...]:
    """Return the index of the first true entry: one index, where `argwhere` would make a list of all of them."""
    return tuple(int(axis) for axis in np.unravel_index(int(bad.argmax()), bad.shape))
