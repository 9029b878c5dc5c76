"""What is the same for every submission of a run."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.model.errors import UsageError
from grader.pipeline.digest import suite_digest


@dataclass(frozen=True)
class Graded:
    """An assignment made ready: read once, used for every submission."""

    assignment: Assignment
    locked: list[LockedTest]
    digest: str


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
    return Graded(assignment, assignment.lock(), suite_digest(assignment))


@dataclass(frozen=True)
class Settings:
    """A run of `grader grade`.

    Args:
        graded: The assignments.
        key: The course key.
        backend: The sandbox to use.
        only: Exercises to grade; all where empty.
        stop: Set when the run is to end; judges at work are killed.
    """

    graded: list[Graded]
    key: bytes = field(repr=False)
    backend: str
    only: tuple[str, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event, compare=False)
