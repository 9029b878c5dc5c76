"""The course's own modules of an assignment: the reference, and what every submission is given."""

from __future__ import annotations

from grader.course.assignment import Assignment
from grader.judge.direct import Source
from grader.model.errors import CourseError


def sources_of(assignment: Assignment) -> list[Source]:
    """Return the reference and the materials, each of which may import those before it.

    Raises:
        CourseError: One is missing, or cannot be read.
    """
    references = [Source(assignment.reference(module)) for module in assignment.manifest.modules]
    return [*references, *material_sources(assignment)]


def material_sources(assignment: Assignment) -> list[Source]:
    """Return the materials.

    Raises:
        CourseError: One is missing, or cannot be read.
    """
    return [Source(path) for path in assignment.materials.values()]


def materials_of(assignment: Assignment) -> dict[str, bytes]:
    """Return the files that every submission is given.

    Raises:
        CourseError: One is missing, or cannot be read.
    """
    try:
        return {file: path.read_bytes() for file, path in assignment.materials.items()}
    except OSError as error:
        raise CourseError(f"a material cannot be read: {error.strerror}", where=assignment.folder) from error
