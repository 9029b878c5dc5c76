"""PrairieLearn's `results.json` of an external grader.

`gradable: false` is how a fault of ours is told: the attempt is given back. PrairieLearn knows scores from 0 to 1 only;
what counts beyond the points stands in the message.
"""

from __future__ import annotations

from pydantic import Field

from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.document import fitting, in_bytes, lines, shortened
from grader.export.grade import Grade
from grader.export.text import about, overall
from grader.model.manifest import Strict
from grader.pipeline.write import as_json

HELP = "PrairieLearn: /grade/results/results.json"
SUFFIX = ".prairielearn.json"
_MOST = 1_000_000  # bytes; of a larger file PrairieLearn takes nothing


class Test(Strict):
    """An exercise."""

    __test__ = False  # a name pytest would collect

    name: str
    description: str
    points: float
    max_points: float
    message: str


class Results(Strict):
    """A submission."""

    gradable: bool
    score: float | None = Field(None, ge=0, le=1, description="The part of the points that counts")
    message: str
    tests: list[Test] = []


SCHEMA = Results


def render(grade: Grade, options: Options) -> str:
    """Return results.json."""
    return fitting(lambda length: as_json(_results(grade, options, length), nulls=False), _MOST, in_bytes)


def _results(grade: Grade, options: Options, length: int) -> Results:
    message = shortened(lines(overall(grade, options)), max(length, 300))
    if grade.score is None:
        return Results(gradable=False, message=message)
    # If one test lacked its points, PrairieLearn would show none of any.
    tests = [
        Test(
            name=exercise.id,
            description=line(exercise.title.said_in(options.language)),
            points=exercise.score,
            max_points=exercise.points,
            message=shortened(lines(about(exercise, grade, options)), length),
        )
        for part in grade.parts
        for exercise in part.exercises
        if exercise.score is not None and not part.excused
    ]
    part = grade.score / grade.points if grade.points else 1.0
    return Results(gradable=True, score=min(1.0, part), message=message, tests=tests)
