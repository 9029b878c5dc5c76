"""Find the course: the nearest folder, from the working directory upwards, that holds `assignments/`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from grader.course.assignment import Assignment, load_assignment
from grader.model.errors import UsageError


def find_course(start: Path) -> Path:
    """Return the course that `start` lies in.

    Raises:
        UsageError: Neither `start` nor any folder above it holds `assignments/`.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        if any((folder / "assignments").glob("*/assignment.toml")):
            return folder
    raise UsageError(
        f"no course here: neither {here} nor a folder above it holds assignments/",
        hint="change into the course, or name it with --course DIR",
    )


def assignment_ids(course: Path) -> list[str]:
    """Return the ids of all assignments of a course, sorted."""
    return sorted(path.parent.name for path in (course / "assignments").glob("*/assignment.toml"))


def load_assignments(course: Path, ids: Sequence[str]) -> list[Assignment]:
    """Read the named assignments, or all where none is named.

    Raises:
        UsageError: One of them does not exist.
        CourseError: A manifest is wrong.
    """
    known = assignment_ids(course)
    for wanted in ids:
        if wanted not in known:
            close = get_close_matches(wanted, known, n=1)
            raise UsageError(
                f"no assignment {wanted!r} in {course}",
                hint=f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known) or 'none'}",
            )
    return [load_assignment(course / "assignments" / wanted) for wanted in dict.fromkeys(ids or known)]
