"""GitHub Classroom: what a runner hands to the reporter, which shows the sum of the tests' scores as the points.

So where lateness or a decision changes what counts, one more test says by how much. Without `max_score` nothing is
reported as points: that is how a fault of ours is told.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import Field

from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.document import lines
from grader.export.grade import Grade
from grader.export.text import about, overall, root_places
from grader.model.manifest import Strict
from grader.model.points import rounded
from grader.model.report import StudentExercise
from grader.model.verdict import Status
from grader.pipeline.write import as_json

HELP = "GitHub Classroom: the result of a runner, for autograding-grading-reporter"
SUFFIX = ".classroom.json"


class Test(Strict):
    """An exercise."""

    __test__ = False  # a name pytest would collect

    name: str
    status: Literal["pass", "fail", "error"]
    score: float | None = None
    message: str
    line_no: int = Field(0, description="Where it is written; 0 where that is not known")
    test_code: str = Field("", description="What the reporter prints of a test that failed, for it prints no message")


class Result(Strict):
    """A submission."""

    version: Literal[1] = 1
    status: Literal["pass", "fail", "error"]
    max_score: float = Field(description="0 where there is no score to report")
    tests: list[Test]


SCHEMA = Result


def render(grade: Grade, options: Options) -> str:
    """Return the JSON that a runner puts into its output `result`, in base64."""
    tests = [_test(exercise, grade, options) for exercise in grade.exercises]
    if grade.score is None:
        return as_json(Result(status="error" if grade.fault else "pass", max_score=0, tests=tests), nulls=False)
    change = rounded(Fraction(str(grade.score)) - sum(Fraction(str(test.score or 0)) for test in tests))
    if change:
        tests.append(
            Test(name=options.words.counts, status="pass", score=change, message=lines(overall(grade, options)))
        )
    passed = all(test.status == "pass" for test in tests)
    return as_json(
        Result(status="pass" if passed else "fail", max_score=grade.points, tests=_adding_up(tests, grade.score)),
        nulls=False,
    )


def _test(exercise: StudentExercise, grade: Grade, options: Options) -> Test:
    status = _status(exercise)
    said = lines(about(exercise, grade, options))
    places = root_places(exercise.id, grade, options)
    return Test(
        name=f"{exercise.id} {line(exercise.title.said_in(options.language))}",
        status=status,
        score=None if grade.score is None else exercise.score,
        message=said,
        line_no=places[0].line if places else 0,
        test_code=said if status == "fail" else "",
    )


def _status(exercise: StudentExercise) -> Literal["pass", "fail", "error"]:
    if exercise.status.is_ours:
        return "error"
    return "pass" if exercise.status is Status.PASSED else "fail"


def _adding_up(tests: list[Test], score: float) -> list[Test]:
    """Let the reporter's sum be as near the score as numbers allow: it shows all digits, as in 7.3500000000000005."""
    *first, last = tests
    return [*first, last.model_copy(update={"score": score - sum(test.score or 0.0 for test in first)})]
