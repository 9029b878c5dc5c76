"""A worksheet on disk, and the numbers that each student finds in it.

They are drawn from the student's id alone, by SHA-256 and with no key: a kit writes the same sheet as the course.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from grader.course.assignment import Assignment
from grader.course.toml import load_toml
from grader.model.errors import CourseError
from grader.model.worksheet import Section, Worksheet


def load_worksheet(assignment: Assignment) -> Worksheet | None:
    """Return the questions of an assignment's worksheet; None where it has none.

    Raises:
        CourseError: The file is missing or wrong, or is there although no exercise is a worksheet.
    """
    exists = assignment.worksheet.is_file()
    if assignment.manifest.worksheet is None:
        if exists:
            raise CourseError(
                "there are questions, but no exercise is a worksheet",
                where=assignment.worksheet,
                hint='give an exercise of the manifest `file = "answers.toml"`, and `files` the same name',
            )
        return None
    return _read(assignment.worksheet)


def question_ids(suite_file: str | Path, *sections: str) -> list[str]:
    """Return the ids of the questions that a suite's file asks: all of the assignment's, or those of some sections.

    Raises:
        CourseError: The questions cannot be read.
    """
    sheet = _read(Path(suite_file).parent.parent / "worksheet.toml")
    return [found for found, section, _ in sheet.asked() if not sections or section.id in sections]


def _read(path: Path) -> Worksheet:
    return load_toml(path, Worksheet, "worksheet")


def numbers_of(section: Section, *, assignment: str, student: str) -> dict[str, int]:
    """Return the numbers of a section as one student finds them."""
    numbers = dict(section.numbers)
    for draw in section.draws:
        row = draw.rows[_drawn(assignment, student, section.id, *draw.names) % len(draw.rows)]
        numbers |= zip(draw.names, row, strict=True)
    return numbers


def _drawn(*parts: str) -> int:
    # Lengths go in, so that no two different lists of parts read the same.
    message = b"".join(
        len(part).to_bytes(4, "big") + part for part in (each.encode("utf-8", "surrogatepass") for each in parts)
    )
    return int.from_bytes(sha256(message).digest(), "big")
