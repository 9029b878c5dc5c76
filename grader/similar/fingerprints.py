"""What is said twice: copydetect's fingerprints of sources, in which names, spaces and comments do not count."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from copydetect import CodeFingerprint, compare_files
from copydetect.utils import get_token_coverage
from numpy.typing import NDArray

# Characters of filtered code, about three lines: what is shorter is shared by chance.
LENGTH = 40
Hashes = NDArray[np.int64]
Stretches = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Source:
    """A file of somebody.

    Args:
        owner: Whose.
        name: Its name.
        text: What is in it.
    """

    owner: str
    name: str
    text: str


@dataclass(frozen=True)
class Likeness:
    """How alike two files are.

    Args:
        shared: Characters of filtered code that stand in both.
        parts: Which part that is of each, 0 to 1, of what is its own.
        places: Where in each, as the beginnings and ends of stretches of its text.
    """

    shared: int
    parts: tuple[float, float]
    places: tuple[Stretches, Stretches]


def filtered(source: Source) -> str:
    """Return a source without what does not count."""
    return str(_print(source).filtered_code)


def hashes(source: Source) -> Hashes:
    """Return the hashes of all stretches of a source, each once, sorted."""
    return np.unique(np.fromiter(_print(source).hashes, dtype=np.int64))


def many_hold(held: Iterable[Hashes], most: int) -> set[int]:
    """Return the hashes that more than `most` of some files hold: what the task itself makes alike."""
    each = list(held)
    if not each:
        return set()
    found, counts = np.unique(np.concatenate(each), return_counts=True)
    return set(found[counts > most].tolist())


def likeness(one: Source, other: Source, without: Collection[int]) -> Likeness:
    """Compare two files by what is their own.

    Args:
        one: A file.
        other: Another.
        without: Hashes that do not count.
    """
    shared, parts, slices = compare_files(_own(one, without), _own(other, without))
    return Likeness(
        int(shared),
        (min(1.0, float(parts[0])), min(1.0, float(parts[1]))),
        (_stretches(slices[0]), _stretches(slices[1])),
    )


def _print(source: Source) -> CodeFingerprint:
    # A window of 1 keeps every hash. Which ones a larger one keeps is decided by Python's own hash of text, which
    # differs from run to run, and so would the numbers that a person is shown.
    return CodeFingerprint(source.name, LENGTH, 1, language="python", fp=io.StringIO(source.text))


def _own(source: Source, without: Collection[int]) -> CodeFingerprint:
    # What copydetect does with a boilerplate takes stretches that a file repeats for a part of it.
    found = _print(source)
    found.hash_idx = {each: places for each, places in found.hash_idx.items() if int(each) not in without}
    found.hashes = set(found.hash_idx)
    found.token_coverage = get_token_coverage(found.hash_idx, LENGTH, len(found.filtered_code))
    return found


def _stretches(slices: NDArray[np.int64]) -> list[tuple[int, int]]:
    return [(int(begin), int(end)) for begin, end in slices.T] if slices.size else []
