"""What an assignment has to do with runs of a program: the data that it gives, and a run that is right."""

from __future__ import annotations

from hashlib import sha256

from grader.course.assignment import Assignment
from grader.model.errors import CourseError


def right_run(assignment: Assignment) -> dict[str, bytes]:
    """Return the artifacts of a right run, which lie in `right_run/`; none where none are asked for, and in a kit.

    Raises:
        CourseError: One is missing, or cannot be read.
    """
    if assignment.is_kit:
        return {}
    found = {}
    for artifact in assignment.manifest.artifacts:
        path = assignment.right_run / artifact.file
        try:
            found[artifact.file] = path.read_bytes()
        except OSError as error:
            raise CourseError(
                f"this artifact of a right run cannot be read: {error.strerror}",
                where=path,
                hint="keep what the reference's own run wrote in right_run/: the tests are tried on it",
            ) from error
    return found


def check_data(assignment: Assignment) -> None:
    """Make sure that the data which students are given are those of the manifest.

    Raises:
        CourseError: A file is missing, or has another digest.
    """
    for data in assignment.manifest.data:
        path = assignment.data(data.file)
        try:
            digest = sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            raise CourseError(
                f"the manifest names this file under `data`, and it cannot be read: {error.strerror}", where=path
            ) from error
        if digest != data.sha256:
            raise CourseError(
                f"its SHA-256 is {digest}, and the manifest says {data.sha256}",
                where=path,
                hint="put the file back, or write its digest into assignment.toml if the change is meant",
            )
