"""Generators that a function on the other side has drawn from: here they go on from where it left them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.random import Generator

from grader.wire.records import replaced
from grader.wire.tensors import is_generator


def generators_in(*values: Any) -> list[Any]:  # noqa: ANN401  # any value that crosses the wire
    """Return the generators in some values, NumPy's and torch's, each time that one is there, in order."""
    found: list[Any] = []
    replaced(values, lambda part: found.append(part) if _draws(part) else part)
    return found


def go_on(ours: Iterable[Any], theirs: Iterable[Any]) -> None:
    """Put each generator where its copy is.

    Args:
        ours: Generators.
        theirs: As many copies of them, which were drawn from since.

    Raises:
        ValueError: They are not as many, or not of the same kinds.
    """
    for mine, other in zip(ours, theirs, strict=True):
        if isinstance(mine, Generator) is not isinstance(other, Generator):
            raise ValueError("a generator came back as one of another kind")
        if isinstance(mine, Generator):
            mine.bit_generator.state = other.bit_generator.state
        else:
            mine.set_state(other.get_state())


def _draws(value: object) -> bool:
    return isinstance(value, Generator) or is_generator(type(value))
