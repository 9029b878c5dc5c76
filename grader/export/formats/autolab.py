"""Autolab's output: semantic feedback, and in the last line the scores.

A problem of the assessment is called like the assignment, for late days and decisions are known of it alone. Where a
fault is ours its score is null: Autolab posts 0 where it finds no score at all.
"""

from __future__ import annotations

from pydantic import Field

from grader.escape.record import json_line
from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.document import lines
from grader.export.grade import Grade, Part
from grader.export.text import about, overall
from grader.model.manifest import Strict
from grader.model.report import StudentExercise
from grader.model.verdict import Status

HELP = "Autolab: semantic feedback, and the scores in the last line"
SUFFIX = ".autolab.txt"


class Autoresult(Strict):
    """The last line."""

    scores: dict[str, float | None] = Field(
        min_length=1, description="By problem; null where there is no score, which is not 0"
    )


SCHEMA = Autoresult


def render(grade: Grade, options: Options) -> str:
    """Return what an autograder prints for Autolab."""
    # A line of words that began with a brace could be taken for feedback.
    said = [f"  {each}" for text in overall(grade, options) for each in text.splitlines()]
    feedback: dict[str, object] = {
        "_presentation": "semantic",
        "stages": [_stage(part, options) for part in grade.parts],
    }
    for part in grade.parts:
        feedback[_stage(part, options)] = {exercise.id: _entry(exercise, grade, options) for exercise in part.exercises}
    scores = Autoresult(scores={part.id: None if grade.fault else part.score for part in grade.parts})
    return "".join(f"{each}\n" for each in (*said, json_line(feedback), json_line(scores.model_dump())))


def _stage(part: Part, options: Options) -> str:
    """The id in brackets keeps a title from being one of Autolab's own keys."""
    return f"{line(part.title.said_in(options.language))} ({part.id})"


def _entry(exercise: StudentExercise, grade: Grade, options: Options) -> dict[str, bool | str]:
    if exercise.status is Status.PASSED:
        return {"passed": True}
    return {"passed": False, "hint": lines(about(exercise, grade, options))}
