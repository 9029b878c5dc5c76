"""Write the blank worksheet of one student, to where their other files lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.assignment import Assignment
from grader.course.blank import blank_sheet
from grader.course.worksheet import load_worksheet
from grader.intake.ids import student_id
from grader.kit.check import working_folder
from grader.kit.refuse import refuse_placeholder
from grader.model.errors import UsageError
from grader.pipeline.write import write_atomically


@dataclass(frozen=True)
class Blank:
    """A worksheet to be filled in.

    Args:
        assignment: Whose questions it asks.
        name: What its file is called.
        text: What stands in it.
    """

    assignment: Assignment
    name: str
    text: str


def blank(assignments: Sequence[Assignment], student: str, language: str) -> Blank:
    """Return a student's blank worksheet.

    Args:
        assignments: Those of which one has a worksheet.
        student: What the submission will be called: a folder, or an archive without its suffix.
        language: `en` or `zh-TW`.

    Raises:
        UsageError: None of them has a worksheet, or several have, or the id is a placeholder.
        CourseError: Its questions cannot be read.
    """
    refuse_placeholder(student, "worksheet")
    asking = [(each, questions) for each in assignments if (questions := load_worksheet(each)) is not None]
    if len(asking) != 1:
        ids = ", ".join(each.id for each, _ in asking)
        raise UsageError(
            f"several assignments have a worksheet: {ids}" if asking else "no assignment has a worksheet",
            hint="name one with -a" if asking else "`file` in assignment.toml makes an exercise a worksheet",
        )
    assignment, questions = asking[0]
    exercise = assignment.manifest.worksheet
    assert exercise  # noqa: S101  # it has questions
    text = blank_sheet(questions, assignment.id, student_id(student), language)
    return Blank(assignment, str(exercise.file), text)


def write(sheet: Blank, path: Path | None, here: Path, *, force: bool) -> Path:
    """Write a blank worksheet and return where.

    Args:
        sheet: The worksheet.
        path: Where to; if None, to where the student's other files lie, which only a kit knows.
        here: The working folder.
        force: Whether to overwrite a file, and with it the answers that are in it.

    Raises:
        UsageError: There is a file already, and it is another than this blank one; or no place is named, and this is no kit.
        GraderError: It cannot be written.
    """
    target = path or _place(sheet.assignment, here) / sheet.name
    if target.exists() and not force and (not target.is_file() or target.read_bytes() != sheet.text.encode()):
        raise UsageError(
            "there is a worksheet already, and it may hold answers",
            where=target,
            hint="--out FILE writes to another place, --force over it",
        )
    write_atomically(target, sheet.text)
    return target


def _place(assignment: Assignment, here: Path) -> Path:
    if not assignment.is_kit:
        raise UsageError(
            "this is the course and no student's kit, so there is no place for a worksheet",
            where=assignment.course,
            hint="name one outside the course's own folders: --out FILE",
        )
    templates = assignment.course / "student_template"
    return working_folder(here, assignment.course, assignment) or (templates if templates.is_dir() else here)
