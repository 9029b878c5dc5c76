"""What came of a submission: evidence under the key of all that decided it, scores, and when it was handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.evidence import Evidence
from grader.model.verdict import Status


@dataclass(frozen=True)
class Key:
    """What decides a result.

    Args:
        digest: A digest over all of it.
        ground: A digest over the part that is the same for a class: suite, environment, course key's fingerprint, level.
        student: Whose submission.
        assignment: To which assignment.
        files: A digest over the files used.
    """

    digest: str
    ground: str
    student: str
    assignment: str
    files: str


@dataclass(frozen=True)
class Score:
    """What an assignment earned; `exercises` is an object of its exercises, each with status, score and points."""

    status: str
    score: float
    points: float
    exercises: Mapping[str, Mapping[str, str | float | None]]


@dataclass(frozen=True)
class Dated:
    """When something was handed in.

    Args:
        source: The name of the folder or archive.
        submitted: Seconds since 1970, UTC.
        by: Where the time comes from: `roster`, `option`, `source` or `file`.
    """

    source: str
    submitted: int
    by: str


@dataclass(frozen=True)
class Result:
    """A result to keep.

    Args:
        key: What decided it.
        evidence: What a judge has just found out; None where it was known.
        score: What it earned; None where that is no score of the whole assignment, or none at all.
    """

    key: Key
    evidence: Evidence | None
    score: Score | None


def is_final(evidence: Evidence) -> bool:
    """Whether evidence may be used again: a fault of ours is nobody's verdict."""
    statuses = [test.status for test in evidence.tests]
    statuses += [test.carried.status for test in evidence.tests if test.carried]
    return evidence.problem is None and Status.GRADER_ERROR not in statuses
