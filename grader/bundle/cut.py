"""The part of a course that grading some assignments takes, and nothing else of it.

It lies as in the course, so the digests that a report tells are the course's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.bundle.item import Item
from grader.course.assignment import Assignment
from grader.model.errors import CourseError
from grader.pipeline.digest import needed


def cut(assignments: Sequence[Assignment]) -> list[Item]:
    """Return the files, relative to the course.

    Raises:
        CourseError: An assignment cannot be graded: it is a kit's, has no lock, or a file of it cannot be read.
    """
    paths = {path: assignment.course for assignment in assignments for path in _locked(assignment)}
    return [Item(path.relative_to(course).as_posix(), _content(path)) for path, course in sorted(paths.items())]


def _locked(assignment: Assignment) -> list[Path]:
    if assignment.is_kit:
        raise CourseError(
            "this is a student's kit: it has no hidden tests to grade with",
            where=assignment.folder,
            hint="make the bundle in the course, or name it with --course",
        )
    assignment.lock()
    return needed(assignment)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CourseError(f"cannot be read: {error.strerror}", where=path) from error
