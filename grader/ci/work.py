"""Which assignments a repository holds work on, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.assignment import Assignment
from grader.kit.check import working_folder
from grader.model.errors import UsageError


@dataclass(frozen=True)
class Work:
    """A student's work on an assignment.

    Args:
        assignment: The assignment.
        folder: Where the student's files lie.
        prefix: What stands before their names in the repository; empty, or with `/` at its end.
        asked: Whether somebody named the assignment.
    """

    assignment: Assignment
    folder: Path
    prefix: str
    asked: bool


def work_in(repository: Path, assignments: Sequence[Assignment], asked: Sequence[str]) -> list[Work]:
    """Return the work on each assignment of which a file is there: in the repository itself, or in its `student_template/`.

    Args:
        repository: The repository.
        assignments: What may be there.
        asked: What somebody named, and what therefore must be there.

    Raises:
        UsageError: Nothing is there, or not what was asked for; or the folder is a link, which could lead to the answers.
    """
    folders = [(each, working_folder(repository, repository, each)) for each in assignments]
    if lost := [each for each, folder in folders if folder is None and (each.id in asked or not any(_there(folders)))]:
        raise UsageError(
            f"no file of {', '.join(each.id for each in lost)} is here",
            where=repository,
            hint=f"such as {lost[0].manifest.files[0]}, here or in student_template/",
        )
    if links := [folder for _, folder in folders if folder is not None and folder.is_symlink()]:
        raise UsageError("this is a link, and no folder", where=links[0], hint="put the files themselves there")
    return [
        Work(each, folder, "" if folder == repository else f"{folder.name}/", each.id in asked)
        for each, folder in folders
        if folder is not None
    ]


def _there(folders: Sequence[tuple[Assignment, Path | None]]) -> list[bool]:
    return [folder is not None for _, folder in folders]
