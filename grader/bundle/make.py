"""Make a bundle: the files of a service, written to a new folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.bundle.item import Item
from grader.bundle.options import checked
from grader.bundle.parts import Parts
from grader.bundle.registry import SERVICES
from grader.course.assignment import Assignment
from grader.model.errors import GraderError, UsageError


def make_bundle(
    service: str,
    assignments: Sequence[Assignment],
    folder: Path,
    *,
    course_key: Callable[[], bytes],
    pip_options: str = "",
) -> list[Item]:
    """Write a bundle to a new folder, and return its files.

    Args:
        service: A name in `SERVICES`.
        assignments: What it grades.
        folder: Where to.
        course_key: Returns the course key; asked only where the bundle holds hidden tests.
        pip_options: Options for the installer of packages at the service.

    Raises:
        UsageError: The folder holds something already, or the service cannot grade these assignments.
        CourseError: The course cannot be graded with.
        GraderError: The folder cannot be written to.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty", where=folder, hint="a bundle overwrites nothing: name a new folder")
    items = list(SERVICES[service].items(Parts(assignments, course_key, checked(pip_options))))
    try:
        for item in items:
            _write(folder / item.path, item)
    except OSError as error:
        raise GraderError(
            f"cannot be written: {error.strerror}", where=folder, hint="name another with --out"
        ) from error
    return items


def _write(path: Path, item: Item) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # A key is closed before anything is in it.
    path.touch(mode=item.mode, exist_ok=False)
    path.write_bytes(item.content)
    path.chmod(item.mode)
