"""What is known of a student's work, before anything is decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["score", "withdrawn", "comment"]


@dataclass(frozen=True)
class Attempt:
    """Something that was handed in and scored.

    Args:
        student: Whose submission it is.
        submitted: When, in seconds since 1970.
        score: What it earned.
        points: What could be earned.
        exercises: What each exercise earned.
        dated_by: Where the time comes from.
    """

    student: str
    submitted: int
    score: float
    points: float
    exercises: Mapping[str, float] = field(default_factory=dict)
    dated_by: str = "file"


@dataclass(frozen=True)
class Ruling:
    """What a person decided about a student's work: it stands, however often that is graded again.

    Args:
        exercise: About which exercise; empty for the whole assignment.
        kind: `score` in the place of the grader's, `withdrawn` where it is no longer in its place, or `comment`.
        score: The score.
        comment: What the student is told.
        author: Who decided.
        reason: Why.
        made: When, in seconds since 1970.
    """

    exercise: str
    kind: Kind
    score: float | None
    comment: str
    author: str
    reason: str
    made: int
