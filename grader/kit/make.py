"""Make a student's kit: the course's layout, with what a student may have and nothing else.

A kit is an allow-list. A file that is not named here stays in the course, whatever it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.course.assignment import Assignment
from grader.model.errors import CourseError, UsageError
from grader.model.verdict import Suite


def make_kit(folder: Path, assignments: Sequence[Assignment]) -> list[Path]:
    """Write a kit of `assignments` to a new folder and return what was written, relative to it.

    Raises:
        UsageError: The folder holds something already.
        CourseError: An assignment lacks a template, a visible suite or its fingerprints.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty", where=folder, hint="a kit overwrites nothing: name a new folder")
    # Two assignments may give the same program.
    pairs = list(dict.fromkeys(pair for assignment in assignments for pair in _contents(assignment)))
    for source, target in pairs:
        if not source.is_file():
            raise CourseError(
                "a kit needs this file",
                where=source,
                hint="`grader template build` writes templates, `grader verify --lock` fingerprints",
            )
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / target)
    return [target for _, target in pairs]


def _contents(assignment: Assignment) -> Iterator[tuple[Path, Path]]:
    """Yield what to copy, and to where."""
    home = Path("assignments") / assignment.id
    yield assignment.folder / "assignment.toml", home / "assignment.toml"
    yield from ((path, home / path.name) for path in sorted(assignment.folder.glob("handout*.md")))
    yield from (
        (path, home / Suite.VISIBLE / path.name) for path in sorted(assignment.suite(Suite.VISIBLE).glob("test_*.py"))
    )
    yield from ((path, home / "materials" / file) for file, path in assignment.materials.items())
    yield from ((assignment.data(each.file), home / "data" / each.file) for each in assignment.manifest.data)
    yield assignment.fingerprints, home / Suite.VISIBLE / assignment.fingerprints.name
    if assignment.manifest.worksheet is not None:
        yield assignment.worksheet, home / assignment.worksheet.name
    for module in assignment.manifest.programs:
        template = assignment.template(module)
        yield template, Path("student_template") / template.name
    yield from ((path, path.relative_to(assignment.course)) for path in assignment.given_files)
