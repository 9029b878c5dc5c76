"""The three hints of an exercise, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from grader.kit.handout import hints
from grader.kit.lesson import Step
from grader.kit.state import HINTS, State
from grader.words import hint as words


def shown(step: Step, state: State, language: str) -> Iterator[str]:
    """Yield the hints of an exercise that were asked for, each as one line.

    Raises:
        CourseError: The handout cannot be read.
    """
    count = state.hints.get(step.id, 0)
    found = hints(step.assignment, step.id, language)
    for number, (label, text) in enumerate(found[:count], 1):
        yield words.HINT(language, label=label, number=number, count=len(found), text=text)
    if count == HINTS:
        yield words.LAST(language)


def where_to_look(step: Step, state: State, language: str) -> Iterator[str]:
    """Yield what to look at in the student's own work: the first test that saw something wrong at the last check."""
    if name := state.failing.get(step.id):
        yield words.FAILING(language, name=name)
    elif step.id not in (*state.seen, *state.finished):
        yield words.NOT_CHECKED(language, exercise=step.id)
