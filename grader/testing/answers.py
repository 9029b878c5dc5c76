"""Answers of a worksheet: a shape is a list of whole numbers, everything else one whole number."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model.worksheet import Question
from grader.testing.structure import describe
from grader.testing.telling import say
from grader.words import tests as words


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
        raise AssertionError(say(words.AXES, what=what, count=question.axes, got=_shown(sizes), found=len(sizes)))


def assert_answer(got: object, expected: Sequence[int] | int, what: str = "the answer") -> None:
    """Assert that an answer is the expected shape or number.

    Raises:
        AssertionError: It is not. Where the sizes are right and their order is not, it says so.
    """
    if isinstance(expected, int):
        if (number := _whole(got, what)) != expected:
            raise AssertionError(say(words.VALUE, what=what, got=f"{number!s:.40}", expected=expected))
        return
    sizes, right = _sizes(got, what), list(expected)
    if sizes == right:
        return
    if sorted(sizes) == sorted(right):
        raise AssertionError(say(words.AXES_ORDER, what=what, got=_shown(sizes)))
    raise AssertionError(say(words.VALUE, what=what, got=_shown(sizes), expected=right))


def _sizes(got: object, what: str) -> list[int]:
    if not isinstance(got, list | tuple):
        raise AssertionError(say(words.A_SHAPE, what=what, got=_described(got)))
    return [_whole(size, say(words.EACH_SIZE, what=what)) for size in got]


def _whole(got: object, what: str) -> int:
    if type(got) is not int:
        raise AssertionError(say(words.A_WHOLE_NUMBER, what=what, got=_described(got)))
    if got < 1:
        raise AssertionError(say(words.AT_LEAST_ONE, what=what))
    return got


def _described(got: object) -> str:
    if isinstance(got, str):
        return say(words.TEXT)
    if isinstance(got, float):
        return say(words.WITH_A_POINT)
    if isinstance(got, bool):
        return say(words.TRUE_OR_FALSE)
    return say(words.ONE_NUMBER) if isinstance(got, int) else describe(got)


def _shown(sizes: list[int]) -> str:
    return f"{sizes!s:.80}"
