"""Gradescope's `results.json`.

A top-level `score` is what counts, whatever the tests add up to. Without any score Gradescope posts none: that is how a
fault of ours is told. No test is ever `hidden`, for then a student would not see their total.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.document import lines
from grader.export.grade import Grade
from grader.export.text import about, overall
from grader.model.manifest import Strict
from grader.model.report import StudentExercise
from grader.model.verdict import Status
from grader.pipeline.write import as_json

HELP = "Gradescope: /autograder/results/results.json"
SUFFIX = ".gradescope.json"


class Test(Strict):
    """An exercise. Gradescope shows text as it is, and no markup in it."""

    __test__ = False  # a name pytest would collect

    name: str
    number: str
    score: float
    max_score: float
    status: Literal["passed", "failed"]
    output: str
    output_format: Literal["text"] = "text"


class Results(Strict):
    """A submission; without `score` and `tests` there is no score."""

    score: float | None = Field(None, description="What counts; above the sum of the tests")
    output: str
    output_format: Literal["text"] = "text"
    test_output_format: Literal["text"] = "text"
    test_name_format: Literal["text"] = "text"
    visibility: Literal["visible"] = "visible"
    stdout_visibility: Literal["hidden"] = "hidden"
    tests: list[Test] | None = None


SCHEMA = Results


def render(grade: Grade, options: Options) -> str:
    """Return results.json."""
    output = overall(grade, options)
    if grade.score is None:
        for exercise in grade.exercises:
            output += ["", *about(exercise, grade, options)]
        return as_json(Results(output="\n".join(output)), nulls=False)
    tests = [
        _test(exercise, f"{number}.{place}", grade, options)
        for number, part in enumerate(grade.parts, 1)
        for place, exercise in enumerate(part.exercises, 1)
        if exercise.score is not None and not part.excused
    ]
    return as_json(Results(score=grade.score, output="\n".join(output), tests=tests), nulls=False)


def _test(exercise: StudentExercise, number: str, grade: Grade, options: Options) -> Test:
    return Test(
        name=f"{exercise.id} {line(exercise.title.said_in(options.language))}",
        number=number,
        score=exercise.score or 0.0,
        max_score=exercise.points,
        status="passed" if exercise.status is Status.PASSED else "failed",
        output=lines(about(exercise, grade, options)),
    )
