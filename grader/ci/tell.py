"""What the log says of work: a line an exercise, and the idea behind a mistake."""

from __future__ import annotations

from collections.abc import Iterator

from grader.ci.graded import GradedWork
from grader.escape.terminal import block
from grader.export.base import Options
from grader.export.text import mistakes, points, seen
from grader.model.report import StudentExercise


def tell(graded: GradedWork, options: Options) -> Iterator[str]:
    """Yield the lines about one assignment."""
    grade = graded.grade
    yield f"{graded.work.assignment.id:<24} {_said(graded):<16} {points(grade.score, grade.points, options)}"
    for exercise in grade.exercises if graded.begun else ():
        score = points(None if exercise.status.is_ours else exercise.score, exercise.points, options)
        yield f"  {exercise.id:<22} {exercise.status:<16} {score}"
        yield from (f"    {line}" for line in _reasons(exercise, options))


def _said(graded: GradedWork) -> str:
    return str(graded.grade.status) if graded.begun else "not begun"


def _reasons(exercise: StudentExercise, options: Options) -> list[str]:
    """The mistake that has a name, else what stands before any test, else the first things that tests saw."""
    named = [words.name for diagnosis in mistakes(exercise) for _, words in diagnosis.explained(options.language)]
    said = [f"=> {name}" for name in dict.fromkeys(named)] or list(filter(None, [block(exercise.message)]))
    return [each.replace("\n", "\n    ") for each in said or seen(exercise, options)]
