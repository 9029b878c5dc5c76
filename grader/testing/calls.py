"""What a call must refuse, and what it must leave alone."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from grader.testing.arguments import told_arguments
from grader.testing.structure import describe
from grader.testing.student import StudentError
from grader.testing.telling import say
from grader.testing.tensors import is_tensor, numbers_of
from grader.wire.records import Record, fields_of
from grader.words import tests as words


class Function(Protocol):
    """A function of the submission, as a test calls it."""

    name: str
    arguments_after: tuple[tuple[Any, ...], dict[str, Any]]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
        """Call it in the worker."""
        ...


def assert_rejects(
    function: Function, *args: object, error: str | tuple[str, ...] = "ValueError", **kwargs: object
) -> str:
    """Assert that the call raises `error`, or one of them, or a class derived from it, and return what the error says.

    Raises:
        AssertionError: It returned, or raised something else.
        StudentError: It did not return at all, or is not implemented.
    """
    errors = (error,) if isinstance(error, str) else error
    wanted = say(words.OR).join(errors)
    # Before the call, which may change them.
    told = told_arguments(function.name, args, kwargs)
    try:
        got = function(*args, **kwargs)
    except StudentError as raised:
        if any(map(raised.is_a, errors)):
            return raised.cause.message
        if {"NotImplementedError", "NotDefined"} & set(raised.cause.types) or not raised.is_a("Exception"):
            raise
        instead = say(words.RAISED, cause=raised.cause)
        raise AssertionError(_no_rejection(function, wanted, told, instead)) from raised
    # None is as good as anything else that came instead of an error: no `return` is missing.
    instead = say(words.RETURNED, got="None" if got is None else describe(got))
    raise AssertionError(_no_rejection(function, wanted, told, instead))


def _no_rejection(function: Function, wanted: str, arguments: str, instead: str) -> str:
    return say(words.SHOULD_RAISE, function=function.name, error=wanted, arguments=arguments, instead=instead)


def assert_unchanged(function: Function, *args: object, **kwargs: object) -> Any:  # noqa: ANN401  # whatever the exercise gives
    """Call `function`, assert that it left its arguments as they were, and return the result.

    Raises:
        AssertionError: An argument was modified in place: which one, and where first.
    """
    got = function(*args, **kwargs)
    after, named_after = function.arguments_after
    places = [*enumerate(after, start=1), *named_after.items()]
    for (name, value), before in zip(places, [*args, *kwargs.values()], strict=True):
        if not _same(before, value):
            raise AssertionError(say(words.IN_PLACE, function=function.name, argument=name))
    return got


def _same(before: object, after: object) -> bool:
    """Whether the arrays in an argument are as they were, also those in its lists, dicts and records."""
    if isinstance(before, list | tuple):
        return isinstance(after, list | tuple) and len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, Record):
        return isinstance(after, Record) and all(
            _same(part, fields_of(after).get(name)) for name, part in fields_of(before).items()
        )
    if isinstance(before, dict):
        return (
            isinstance(after, dict)
            and before.keys() == after.keys()
            and all(_same(before[key], after[key]) for key in before)
        )
    if is_tensor(before):
        return is_tensor(after) and _same_array(numbers_of(before), numbers_of(after))
    return not isinstance(before, np.ndarray) or _same_array(before, after)


def _same_array(before: np.ndarray[Any, np.dtype[Any]], after: object) -> bool:
    return (
        isinstance(after, np.ndarray)
        and before.shape == after.shape
        and before.dtype == after.dtype
        and np.array_equal(before, after, equal_nan=np.issubdtype(before.dtype, np.inexact))
    )
