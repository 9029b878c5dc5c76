"""Misconceptions: wrong implementations, each with a name, an explanation and a second variant.

A misconception patches one function of the reference. Its first parameter, `ref`, is the namespace of
the reference with every patch in effect, so that two misconceptions can act at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

Implementation = Callable[..., Any]


@dataclass(frozen=True)
class Explained:
    """What is told to the student: the mistake in a sentence, why it is one, and where to look."""

    name: str
    why: str
    hint: str


@dataclass(frozen=True)
class Misconception:
    """One wrong idea about one exercise.

    Args:
        id: `exercise/slug`, such as `attention.weights/softmax-columns`.
        function: The name of the reference's function that it replaces.
        implementation: The wrong function, `ref` first.
        en: The explanation in English.
        zh_tw: The explanation in Traditional Chinese.
        equivalent: Ids of misconceptions with the same numbers, which no test can tell apart.
        module: The reference's module that holds the function; empty where it is the one that the id begins with.
    """

    id: str
    function: str
    implementation: Implementation
    en: Explained
    zh_tw: Explained
    equivalent: tuple[str, ...] = ()
    module: str = ""

    @property
    def home(self) -> str:
        """The module that holds the function."""
        return self.module or self.id.partition(".")[0]

    @property
    def exercise(self) -> str:
        """The exercise it belongs to."""
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Variant:
    """The same mistake, written independently: it proves that a diagnosis knows the idea, not the code."""

    of: str
    implementation: Implementation


Files = dict[str, bytes]


@dataclass(frozen=True)
class WrongRun:
    """Artifacts with one mistake in them.

    Args:
        id: `exercise/slug`, such as `homework11.perplexity/base-two`.
        spoil: From the artifacts of a right run to those of the wrong one.
        says: What a test must say of it: the mistake's name, in the words that a student reads.
    """

    id: str
    spoil: Callable[[Files], Files]
    says: str

    @property
    def exercise(self) -> str:
        """The exercise in which it must lose points."""
        return self.id.partition("/")[0]


class Catalogue:
    """The misconceptions of one assignment, their variants and its wrong runs, in the order of the file."""

    def __init__(self) -> None:
        self.misconceptions: list[Misconception] = []
        self.variants: list[Variant] = []
        self.wrong_runs: list[WrongRun] = []

    def of_exercises(self, exercises: Sequence[str]) -> list[Misconception]:
        """Return the misconceptions of `exercises`, those of the first exercise first."""
        return [m for exercise in exercises for m in self.misconceptions if m.exercise == exercise]


_open: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


@contextmanager
def collecting() -> Iterator[Catalogue]:
    """Collect what `misconception` and `variant` declare while a file of them is imported."""
    catalogue = Catalogue()
    token = _open.set(catalogue)
    try:
        yield catalogue
    finally:
        _open.reset(token)


def misconception(
    misconception_id: str, *, en: Explained, zh_tw: Explained, name: str | None = None, equivalent: tuple[str, ...] = ()
) -> Callable[[Implementation], Implementation]:
    """Declare the decorated function to be a misconception; it replaces the function of its name, or of `name`."""

    def declare(function: Implementation) -> Implementation:
        found = Misconception(misconception_id, name or function.__name__, function, en, zh_tw, equivalent)
        if (catalogue := _open.get()) is not None:
            catalogue.misconceptions.append(found)
        return function

    return declare


def wrong_run(run_id: str, *, says: str) -> Callable[[Callable[[Files], Files]], Callable[[Files], Files]]:
    """Declare the decorated function to make artifacts with a mistake in them, of those of a right run."""

    def declare(function: Callable[[Files], Files]) -> Callable[[Files], Files]:
        if (catalogue := _open.get()) is not None:
            catalogue.wrong_runs.append(WrongRun(run_id, function, says))
        return function

    return declare


def variant(misconception_id: str) -> Callable[[Implementation], Implementation]:
    """Declare the decorated function to be the same mistake in another style."""

    def declare(function: Implementation) -> Implementation:
        if (catalogue := _open.get()) is not None:
            catalogue.variants.append(Variant(misconception_id, function))
        return function

    return declare
