"""What is told of an error that a submission raised.

The error may be of a hostile class: each thing asked of it can raise, lie, or return a gigabyte.
"""

from __future__ import annotations

import builtins
from collections.abc import Container
from contextlib import suppress
from traceback import walk_tb
from types import CodeType
from typing import NamedTuple

from numpy import exceptions, linalg

from grader.wire.messages import MAX_MESSAGE, MAX_SPOTS, MAX_TYPES, Bounds, Failure, Spot
from grader.wire.text import clean
from grader.worker.bounds import limit_met
from grader.worker.errors import Blocked, ForbiddenImport

_MAX_NAME = 200
_MAX_LINE = 2**31
_KNOWN = frozenset(
    {kind for space in (builtins, exceptions, linalg) for kind in vars(space).values() if isinstance(kind, type)}
    - {object}
    | {Blocked, ForbiddenImport}
)


class Place(NamedTuple):
    """A line of the submission, or nowhere."""

    file: str | None = None
    line: int | None = None


class Setting(NamedTuple):
    """What an error happened in.

    Args:
        files: The submission's files.
        bounds: What the worker may use, once it was told.
    """

    files: Container[str] = ()
    bounds: Bounds | None = None


def describe(error: BaseException, phase: str, setting: Setting, called: object = None) -> Failure:
    """Return what is told of an error.

    Args:
        error: What was raised.
        phase: "import" or "call".
        setting: What it happened in.
        called: The function that was called: the place of an error that has none of its own, as where the number of
            arguments does not fit.
    """
    files, place = setting.files, Place()
    way: list[Spot] = []
    with suppress(BaseException):
        place = _syntax(error, files) or _innermost(error, files) or _definition(called, files) or place
    with suppress(BaseException):
        way = _way(error, files)
    return Failure(phase, _types(error), _message(error, setting.bounds), *place, way)


def _types(error: BaseException) -> list[str]:
    # Of `type` itself, here and below, for a metaclass may have answers of its own.
    own, *bases = type.mro(type(error))
    return [_name(own), *(_name(base) for base in bases if base in _KNOWN)][:MAX_TYPES]


def _name(kind: type) -> str:
    return clean(type.__dict__["__name__"].__get__(kind)[:_MAX_NAME])


def _message(error: BaseException, bounds: Bounds | None) -> str:
    text, limit = "its message could not be read", ""
    with suppress(BaseException):
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    with suppress(BaseException):
        limit = limit_met(error, bounds) if bounds else ""
    told = f"; {limit}" if text and limit else limit
    return clean(str.__getitem__(text, slice(MAX_MESSAGE - len(told)))) + told


def _syntax(error: BaseException, files: Container[str]) -> Place | None:
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in files:
        return Place(error.filename, _line(error.lineno))
    return None


def _innermost(error: BaseException, files: Container[str]) -> Place | None:
    place = None
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_code.co_filename in files:
            place = Place(frame.f_code.co_filename, _line(line))
    return place


def _way(error: BaseException, files: Container[str]) -> list[Spot]:
    """The submission's own lines that were being run: of a function that calls itself, each once."""
    own = (
        (frame.f_code.co_filename, number)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename in files and (number := _line(line))
    )
    return [Spot(file, line) for file, line in dict.fromkeys(own)][-MAX_SPOTS:]


def _definition(called: object, files: Container[str]) -> Place | None:
    function = called.__init__ if isinstance(called, type) else called  # type: ignore[misc]  # only looked at
    code = getattr(function, "__code__", None)
    if isinstance(code, CodeType) and code.co_filename in files:
        return Place(code.co_filename, _line(code.co_firstlineno))
    return None


def _line(number: object) -> int | None:
    return number if type(number) is int and 0 <= number < _MAX_LINE else None
