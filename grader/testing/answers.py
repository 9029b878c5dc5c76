"""Answers of a worksheet: a shape is a list of whole numbers, everything else one whole number."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model.worksheet import Question
from grader.testing.structure import describe


def assert_form(got: object, question: Question, what: str = "the answer") -> None:
    """Assert that an answer is of the kind that its question asks for, whatever it is worth.

    Raises:
        AssertionError: It is of another kind or, of a shape, has more or fewer axes.
    """
    if question.axes is None:
        _whole(got, what)
        return
    sizes = _sizes(got, what)
    if len(sizes) != question.axes:
        raise AssertionError(f"{what} has {question.axes} axes, and {_shown(sizes)} has {len(sizes)}")


def assert_answer(got: object, expected: Sequence[int] | int, what: str = "the answer") -> None:
    """Assert that an answer is the expected shape or number.

    Raises:
        AssertionError: It is not. Where the sizes are right and their order is not, it says so.
    """
    if isinstance(expected, int):
        if (number := _whole(got, what)) != expected:
            raise AssertionError(f"{what}: got {number!s:.40}, expected {expected}")
        return
    sizes, right = _sizes(got, what), list(expected)
    if sizes == right:
        return
    if sorted(sizes) == sorted(right):
        raise AssertionError(f"{what}: {_shown(sizes)} has the right sizes, but its axes are in the wrong order")
    raise AssertionError(f"{what}: got {_shown(sizes)}, expected {right}")


def _sizes(got: object, what: str) -> list[int]:
    if not isinstance(got, list | tuple):
        raise AssertionError(f"{what} is a shape, such as [2, 3, 4], and not {_described(got)}")
    return [_whole(size, f"each size in {what}") for size in got]


def _whole(got: object, what: str) -> int:
    if type(got) is not int:
        raise AssertionError(f"{what} is a whole number, such as 1234, and not {_described(got)}")
    if got < 1:
        raise AssertionError(f"{what} is at least 1")
    return got


def _described(got: object) -> str:
    if isinstance(got, str):
        return "text: leave the quotes out"
    if isinstance(got, float):
        return "a number with a point"
    if isinstance(got, bool):
        return "true or false"
    return "one number" if isinstance(got, int) else describe(got)


def _shown(sizes: list[int]) -> str:
    return f"{sizes!s:.80}"
