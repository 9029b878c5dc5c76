"""JSON in the form of check50: a check an exercise, and one for the whole.

check50 knows no points; they stand in `data`, which is the author's. `passed` is null where nobody could tell.
"""

from __future__ import annotations

from pydantic import Field

from grader import __version__
from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.grade import Grade
from grader.export.text import about, mistakes, overall, own_message, seen
from grader.model.manifest import Strict
from grader.model.report import StudentExercise
from grader.model.verdict import Status
from grader.pipeline.write import as_json

HELP = "check50: the JSON of `check50 --output json`"
SUFFIX = ".check50.json"
_UNTOLD = (Status.GRADER_ERROR, Status.BLOCKED)


class Cause(Strict):
    """Why a check did not pass."""

    rationale: str
    help: str | None = None


class Check(Strict):
    """An exercise, or the whole."""

    name: str
    description: str
    passed: bool | None = Field(description="null where nobody could tell")
    log: list[str] = []
    cause: Cause | None = None
    data: dict[str, float] = Field(default={}, description="score and points; no score where there is none")
    dependency: str | None = Field(None, description="An exercise that this one needs and that was wrong")


class Checked(Strict):
    """A submission."""

    slug: str
    results: list[Check]
    version: str = __version__


SCHEMA = Checked


def render(grade: Grade, options: Options) -> str:
    """Return the JSON of check50."""
    results = [_check(exercise, grade, options) for exercise in grade.exercises]
    slug = "/".join(("rowwise", *(part.id for part in grade.parts)))
    return as_json(Checked(slug=slug, results=[*results, _whole(grade, options)]))


def _whole(grade: Grade, options: Options) -> Check:
    said, *more = overall(grade, options)
    passed = None if grade.score is None else grade.score >= grade.points
    return Check(
        name="score",
        description=said,
        passed=passed,
        log=more,
        # check50 asks every check that did not pass for its cause.
        cause=None if passed else Cause(rationale="; ".join(more) or said),
        data=_data(grade.score, grade.points),
    )


def _check(exercise: StudentExercise, grade: Grade, options: Options) -> Check:
    said = about(exercise, grade, options)
    return Check(
        name=exercise.id,
        description=line(exercise.title.said_in(options.language)),
        passed=None if exercise.status in _UNTOLD else exercise.status is Status.PASSED,
        log=said[1:],
        cause=None if exercise.status is Status.PASSED else _cause(exercise, said, options),
        data=_data(exercise.score if not grade.fault else None, exercise.points),
        dependency=exercise.carried[0] if exercise.carried else None,
    )


def _cause(exercise: StudentExercise, said: list[str], options: Options) -> Cause:
    for diagnosis in mistakes(exercise):
        words = diagnosis.explained(options.language)[0][1]
        return Cause(rationale=words.name, help=words.hint)
    told = [own_message(exercise)] if exercise.message else [*seen(exercise, options), *said[1:], *said]
    return Cause(rationale=told[0])


def _data(score: float | None, points: float) -> dict[str, float]:
    return {"points": points} if score is None else {"score": score, "points": points}
