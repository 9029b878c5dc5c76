"""What is the same for every submission of a run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.intake.base import Submission
from grader.judge.run import RunSuite, run_suite
from grader.model.errors import UsageError
from grader.model.evidence import Evidence
from grader.pipeline.digest import evidence_digest, suite_digest


@dataclass(frozen=True)
class Graded:
    """An assignment made ready: read once, used for every submission."""

    assignment: Assignment
    locked: list[LockedTest]
    digest: str
    evidence_digest: str


def prepare(assignment: Assignment) -> Graded:
    """Read what grading an assignment needs.

    Raises:
        UsageError: It is a student's kit.
        CourseError: It has no lock, or the lock does not fit the manifest.
    """
    if assignment.is_kit:
        raise UsageError(
            "this is a student's kit: it has no hidden tests",
            where=assignment.folder,
            hint="`grader check` runs the visible ones",
        )
    return Graded(assignment, assignment.lock(), suite_digest(assignment), evidence_digest(assignment))


Recall = Callable[[Submission, Graded], Evidence | None]


def nothing_known(submission: Submission, graded: Graded) -> Evidence | None:
    """Recall nothing: everything is judged."""
    del submission, graded
    return None


@dataclass(frozen=True)
class Settings:
    """A run of `grader grade`.

    Args:
        graded: The assignments.
        key: The course key.
        backend: The sandbox to use.
        only: Exercises to grade; all where empty.
        stop: Set when the run is to end; judges at work are killed.
        run: Judges a submission once.
        recall: Returns what was found out before; what is known is not judged.
    """

    graded: list[Graded]
    key: bytes = field(repr=False)
    backend: str
    only: tuple[str, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event, compare=False)
    run: RunSuite = field(default=run_suite, compare=False)
    recall: Recall = field(default=nothing_known, compare=False)
