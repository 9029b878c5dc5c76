"""What `verify` writes down, and compares the course against: tests.lock and the fingerprints of a kit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.course.assignment import Assignment
from grader.course.lock import FILE_NAME, LockedTest, write_lock
from grader.judge.fingerprints import Fingerprints, alike, read_fingerprints
from grader.model.errors import CourseError


def write(assignment: Assignment, tests: Sequence[LockedTest], fingerprints: str) -> None:
    """Write what was collected."""
    write_lock(assignment.folder / FILE_NAME, tests)
    assignment.fingerprints.write_text(fingerprints, encoding="utf-8", newline="\n")


def stale(assignment: Assignment, tests: Sequence[LockedTest], fingerprints: str) -> Iterator[str]:
    """Tell where what was written down differs from what was collected.

    Raises:
        CourseError: The lock cannot be read.
    """
    if not (assignment.folder / FILE_NAME).is_file():
        yield "there is no tests.lock: run `grader verify --lock`"
        return
    locked, collected = set(assignment.lock()), set(tests)
    for test in sorted(locked - collected):
        yield f"{test.id} is in tests.lock, but was not collected as {test.tier} of {test.exercise}"
    for test in sorted(collected - locked):
        yield f"{test.id} ({test.tier} of {test.exercise}) is not in tests.lock, so it does not count: run `grader verify --lock`"
    if not _holds(assignment, fingerprints):
        yield "visible/fingerprints.json is not what the catalogue and the visible tests give now: run `grader verify --lock`"


def _holds(assignment: Assignment, fingerprints: str) -> bool:
    """Whether the file says what the fingerprints say, to the last digits, in which processors may differ."""
    path = assignment.fingerprints
    if not path.is_file() or path.read_text("utf-8") == fingerprints:
        return path.is_file()
    try:
        return alike(read_fingerprints(path), Fingerprints.model_validate_json(fingerprints))
    except CourseError:
        return False
