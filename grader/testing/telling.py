"""How the assertions of the running test tell what they saw: in which language, and what functions call their arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

from grader.words.said import Said
from grader.words.tests import called as called_in


@dataclass(frozen=True)
class Telling:
    """How messages are told.

    Args:
        language: `en` or `zh-TW`.
        verbose: Whether they hold the entries around the first that differs.
        parameters: What the functions and methods of an assignment call their parameters.
    """

    language: str = "en"
    verbose: bool = False
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)


_telling: ContextVar[Telling] = ContextVar("telling", default=Telling())  # noqa: B039  # it is frozen
# Whether the last call of the running test returned None: then a `return` may be missing.
_returned_none: ContextVar[bool] = ContextVar("returned_none", default=False)


def tell(how: Telling) -> None:
    """Have what is said from now on, in the context that is the current one, told in a certain way; no call was made yet."""
    _telling.set(how)
    _returned_none.set(False)


def say(said: Said, **values: object) -> str:
    """Return a text in the language in which the running test is told; `what` is called as that language calls it."""
    if isinstance(what := values.get("what"), str):
        values["what"] = called(what)
    return said(_telling.get().language, **values)


def called(what: str) -> str:
    """Return how a thing is called in the language in which the running test is told."""
    return called_in(what, _telling.get().language)


def parameters_of(function: str) -> Sequence[str]:
    """Return what a function calls its positional parameters; nothing where that is not known."""
    return _telling.get().parameters.get(function, ())


def note_returned(value: object) -> None:
    """Remember what came of the last call, or that an attribute was read and no call made: then not None."""
    _returned_none.set(value is None)


def returned_none() -> bool:
    """Whether the last call returned None."""
    return _returned_none.get()
