"""Two arrays beside each other, around the first entry that differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grader.testing.bounded import Array
from grader.testing.telling import say
from grader.words import tests as words

_ROWS, _COLUMNS = 5, 6


class Differs(AssertionError):  # noqa: N818  # it is what a test found, and no fault
    """A comparison that failed.

    Args:
        message: What is always told.
        detail: Gives what is told to whoever asks for more, line by line.
    """

    def __init__(self, message: str, detail: Callable[[], list[str]]) -> None:
        super().__init__(message)
        self.detail = detail


def around(got: Array, expected: Array, bad: Array, first: tuple[int, ...]) -> list[str]:
    """Return lines with the entries of both around one, at most 5 rows of 6; what differs has a `!`.

    Args:
        got: What came, of any shape.
        expected: What should have, of the same shape.
        bad: Where they differ.
        first: The entry to look around.
    """
    place: Any = (*first[:-2], *_window(got.shape[-2:], first[-2:]))
    shown = ", ".join(f"{part.start}:{part.stop}" if isinstance(part, slice) else str(part) for part in place)
    lines = [say(words.AROUND, place=shown, shape=list(got.shape)), say(words.GOT)]
    lines += _rows(got[place], bad[place])
    return [*lines, say(words.EXPECTED), *_rows(expected[place], bad[place])]


def _window(shape: tuple[int, ...], at: tuple[int, ...]) -> tuple[slice, ...]:
    most = (_ROWS, _COLUMNS)[-len(shape) :] if shape else ()
    starts = [
        max(min(place - size // 2, length - size), 0) for place, length, size in zip(at, shape, most, strict=True)
    ]
    return tuple(
        slice(start, min(start + size, length)) for start, length, size in zip(starts, shape, most, strict=True)
    )


def _rows(part: Array, bad: Array) -> Iterator[str]:
    flat, marks = (
        part.reshape(-1, part.shape[-1] if part.ndim else 1),
        bad.reshape(-1, part.shape[-1] if part.ndim else 1),
    )
    for row, differs in zip(flat, marks, strict=True):
        yield (
            "  "
            + " ".join(
                f"{_number(entry):>10}{'!' if mark else ' '}" for entry, mark in zip(row, differs, strict=True)
            ).rstrip()
        )


def _number(entry: object) -> str:
    return str(entry) if isinstance(entry, bool) or str(entry) in ("True", "False") else f"{entry:.5g}"
