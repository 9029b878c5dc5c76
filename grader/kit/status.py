"""How far a student is, from what is written and what was seen; nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from pathlib import Path

from grader.kit.check import working_folder
from grader.kit.columns import left
from grader.kit.lesson import Step
from grader.kit.since import changed
from grader.kit.state import State
from grader.kit.work import Unreadable, is_bare, parts
from grader.words import standing as words


class Standing(StrEnum):
    """How an exercise stands."""

    FINISHED = "finished"
    LOST = "was finished"
    BEGUN = "begun"
    UNREADABLE = "not Python"
    TO_DO = "to do"


def standing(step: Step, state: State, here: Path) -> Standing:
    """Return how an exercise stands; what is written counts as begun where it is no longer the template."""
    if step.id in state.finished:
        return Standing.FINISHED
    if step.id in state.lost:
        return Standing.LOST
    return _written(step, working_folder(here, step.assignment.course, step.assignment))


def _written(step: Step, folder: Path | None) -> Standing:
    exercise = step.exercise
    if folder is None:
        return Standing.TO_DO
    if not exercise.names or exercise.is_worksheet:
        files = [str(exercise.file)] if exercise.is_worksheet else exercise.artifacts
        return Standing.BEGUN if any((folder / name).is_file() for name in files) else Standing.TO_DO
    file = folder / f"{exercise.module}.py"
    if not file.is_file():
        return Standing.TO_DO
    template = step.assignment.original(exercise.module)
    try:
        begun = parts(template.read_bytes(), file.name) if template.is_file() else {}
        return Standing.TO_DO if is_bare(exercise, parts(file.read_bytes(), file.name), begun) else Standing.BEGUN
    except Unreadable:
        return Standing.UNREADABLE


def tell(lesson: Sequence[Step], state: State, here: Path, language: str) -> Iterator[str]:
    """Yield a line for each exercise, and what they come to."""
    width = max(len(step.id) for step in lesson)
    stale = stale_of(lesson, state, here)
    yield from (row(step, standing(step, state, here), state, language, width, stale=stale) for step in lesson)
    done = [step.exercise.points for step in lesson if step.id in state.finished]
    everything = [step.exercise.points for step in lesson]
    yield words.SUM(language, done=len(done), count=len(lesson), earned=sum(done), points=sum(everything))


def stale_of(lesson: Sequence[Step], state: State, here: Path) -> set[str]:
    """Return the exercises of a lesson that were finished, and whose code has changed since they were checked."""
    return changed(list({step.assignment.id: step.assignment for step in lesson}.values()), state, here)


def row(  # noqa: PLR0913  # what is shown, and how
    step: Step, how: Standing, state: State, language: str, width: int, *, stale: AbstractSet[str]
) -> str:
    """Return the line of one exercise; `stale` are those whose code has changed since they were checked."""
    seen = state.hints.get(step.id, 0)
    told = [
        words.POINTS(language, points=step.exercise.points),
        *([words.CHANGED(language)] if step.id in stale else []),
        *([words.HINTS_SEEN(language, count=seen)] if seen else []),
    ]
    return f"{step.id:<{width}}  {left(words.STANDING[how](language), 14)} {'  '.join(told)}"
