"""What is different between two gradebooks, or between two runs of one: who earned what with their latest attempt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.gradebook.history import Standing

Whose = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """A difference.

    Args:
        student: Whose.
        assignment: In which assignment.
        before: Their latest attempt in the first; None where there is none.
        after: In the second.
        exercises: Of each exercise that differs, its status before and after.
    """

    student: str
    assignment: str
    before: Standing | None
    after: Standing | None
    exercises: tuple[tuple[str, str, str], ...] = ()


def changes(before: Sequence[Standing], after: Sequence[Standing]) -> list[Change]:
    """Return what differs, by student and assignment. Attempts are in the order of time."""
    old, new = _latest(before), _latest(after)
    return [
        Change(*whose, old.get(whose), new.get(whose), tuple(_exercises(old.get(whose), new.get(whose))))
        for whose in sorted({*old, *new})
        if _told(old.get(whose)) != _told(new.get(whose))
    ]


def _latest(standings: Sequence[Standing]) -> dict[Whose, Standing]:
    return {(each.attempt.student, each.assignment): each for each in standings}


def _told(standing: Standing | None) -> object:
    return standing and (standing.status, standing.attempt.score, standing.attempt.points, standing.exercises)


def _exercises(before: Standing | None, after: Standing | None) -> Iterator[tuple[str, str, str]]:
    if before is None or after is None:
        return
    for name in [*before.exercises, *(name for name in after.exercises if name not in before.exercises)]:
        old, new = _status(before, name), _status(after, name)
        if old != new:
            yield name, old, new


def _status(standing: Standing, exercise: str) -> str:
    return str(standing.exercises.get(exercise, {}).get("status", "absent"))
