"""A difference between two gradebooks, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from grader.escape.terminal import line
from grader.gradebook.diff import Change
from grader.gradebook.history import Standing


def as_lines(change: Change) -> Iterator[str]:
    """Yield what differs: the score, and below it the exercises."""
    who = f"{line(change.student)}  {change.assignment}"
    yield f"{who}  {_score(change.before)} -> {_score(change.after)}"
    for exercise, before, after in change.exercises:
        yield f"    {exercise}: {before} -> {after}"


def _score(standing: Standing | None) -> str:
    if standing is None:
        return "nothing"
    return f"{standing.attempt.score:.2f} / {standing.attempt.points:g} ({standing.status})"
