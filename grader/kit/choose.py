"""Which exercises a student means by the names that they give."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from grader.course.assignment import Assignment
from grader.model.errors import UsageError

_NEAREST = 3


def choose(assignments: Sequence[Assignment], *wanted: str) -> list[tuple[Assignment, list[str]]]:
    """Return the assignments to check, each with the exercises asked for (none: all).

    Args:
        assignments: All of the course.
        wanted: Exercises (`attention.softmax`) and assignments (`attention`); all where none is named.

    Raises:
        UsageError: There is no such exercise or assignment.
    """
    for name in wanted:
        _require_known(assignments, name)
    chosen = []
    for assignment in assignments:
        exercises = [each.id for each in assignment.manifest.exercises if each.id in wanted]
        if not wanted or assignment.id in wanted:
            chosen.append((assignment, list[str]()))
        elif exercises:
            chosen.append((assignment, exercises))
    return chosen


def _require_known(assignments: Sequence[Assignment], wanted: str) -> None:
    known = [name for each in assignments for name in (each.id, *(one.id for one in each.manifest.exercises))]
    if wanted in known:
        return
    near = get_close_matches(wanted, known, n=_NEAREST, cutoff=0.0)
    raise UsageError(
        f"no exercise or assignment {wanted!r}",
        hint=f"did you mean {', '.join(map(repr, near))}? `grader status` lists all",
    )
