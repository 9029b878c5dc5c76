"""Make a student's kit: the course's layout, with what a student may have and nothing else.

A kit is an allow-list. A file that is not named here stays in the course, whatever it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grader.course.assignment import Assignment
from grader.kit.language import FILE, kit_file
from grader.model.errors import CourseError, UsageError
from grader.model.verdict import Suite

_STARTER = Path(__file__).parent / "starter"
# Where a file lies in a kit, and in the course's templates -> what it is where the course has none.
_REPOSITORY = {".github/workflows/grade.yml": "grade.yml", ".gitignore": "gitignore.txt", FILE: "kit.toml"}


def make_kit(folder: Path, assignments: Sequence[Assignment], language: str | None = None) -> list[Path]:
    """Write a kit of `assignments` to a new folder and return what was written, relative to it.

    Args:
        folder: The folder.
        assignments: What the kit is of.
        language: In which its commands speak; None where the course says so, or else in English.

    Raises:
        UsageError: The folder holds something already.
        CourseError: An assignment lacks a template, a visible suite or its fingerprints.
    """
    if folder.exists() and any(folder.iterdir()):
        raise UsageError("the folder is not empty", where=folder, hint="a kit overwrites nothing: name a new folder")
    pairs = kit_files(assignments)
    for source, target in pairs:
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / target)
    if language is not None:
        (folder / FILE).write_text(kit_file(language), encoding="utf-8", newline="\n")
    return [target for _, target in pairs]


def kit_files(assignments: Sequence[Assignment]) -> list[tuple[Path, Path]]:
    """Return what a kit holds, each as the file that it is a copy of and its place in the kit.

    Raises:
        CourseError: An assignment lacks a template, a visible suite or its fingerprints.
    """
    # Two assignments may give the same program.
    pairs = list(dict.fromkeys(pair for assignment in assignments for pair in _contents(assignment)))
    pairs += _repository({assignment.course for assignment in assignments})
    for source, _ in pairs:
        if not source.is_file():
            raise CourseError(
                "a kit needs this file",
                where=source,
                hint="`grader template build` writes templates, `grader verify --lock` fingerprints",
            )
    return pairs


def _repository(courses: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield what makes a repository of a kit: the course's own, else what is usual."""
    for name, usual in _REPOSITORY.items():
        own = [course / "student_template" / name for course in courses]
        yield next((path for path in own if path.is_file()), _STARTER / usual), Path(name)


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
        # What `grader reset` brings back, and nobody works in.
        yield template, home / "template" / template.name
    yield from ((path, path.relative_to(assignment.course)) for path in assignment.given_files)
    # A course may say in a README how its students begin.
    yield from ((path, Path(path.parent.name) / path.name) for path in assignment.readmes)
