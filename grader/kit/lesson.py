"""The exercises of a kit in the order in which they are done, and the one that is being worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.assignment import Assignment
from grader.course.order import in_order
from grader.kit.state import State
from grader.model.manifest import Exercise


@dataclass(frozen=True)
class Step:
    """An exercise with the assignment that it is of."""

    assignment: Assignment
    exercise: Exercise

    @property
    def id(self) -> str:
        """The exercise's id."""
        return self.exercise.id


def steps(assignments: Sequence[Assignment]) -> list[Step]:
    """Return all exercises in order."""
    return [
        Step(assignment, exercise) for assignment in in_order(assignments) for exercise in assignment.manifest.exercises
    ]


def current(lesson: Sequence[Step], state: State) -> Step:
    """Return the exercise that was worked on last; else the first that is not finished, else the first of all."""
    for step in lesson:
        if step.id == state.current:
            return step
    return first_open(lesson, state)


def first_open(lesson: Sequence[Step], state: State) -> Step:
    """Return the first exercise that is not finished, else the first of all."""
    return next((step for step in lesson if step.id not in state.finished), lesson[0])


def following(lesson: Sequence[Step], state: State, step: Step) -> Step | None:
    """Return the next exercise that is not finished, those before `step` last; None where all others are finished."""
    place = lesson.index(step)
    later = [*lesson[place + 1 :], *lesson[:place]]
    return next((other for other in later if other.id not in state.finished), None)
