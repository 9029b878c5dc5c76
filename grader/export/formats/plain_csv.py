"""A class as plain CSV: a row a student, what each assignment and each exercise counts."""

from __future__ import annotations

from collections.abc import Iterable

from grader.escape.sheet import sheet
from grader.export.base import Options, Table
from grader.export.grade import Grade
from grader.graded.summary_csv import UTF8

HELP = "CSV: a row a student, with what each assignment and each exercise counts"
FOR_STUDENTS = False

Cell = str | float | None


def render(grades: Iterable[Grade], options: Options) -> Table:
    """Return the table; a score that there is none of is an empty cell."""
    del options
    rows: list[tuple[list[Cell], dict[str, float | None]]] = []
    columns: dict[str, None] = {}
    for grade in grades:
        found = {part.id: part.score for part in grade.parts}
        found |= {exercise.id: exercise.score for exercise in grade.exercises}
        columns |= dict.fromkeys(found)
        rows.append(([grade.id, grade.status or "", grade.score, grade.points], found))
    header: list[Cell] = ["id", "status", "score", "points", *columns]
    return Table(UTF8 + sheet([header, *([*row, *map(found.get, columns)] for row, found in rows)]))
