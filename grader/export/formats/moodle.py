"""Moodle's grade import: who, grade and feedback in one file.

Moodle takes an empty grade for a wish to delete, so who has no score has no row. The grade and its feedback stand
together, for feedback alone would delete the grade too. The teacher says which column is which; no grade item is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from grader.escape.sheet import defused, sheet
from grader.export.base import Options, Table
from grader.export.grade import Grade
from grader.export.text import mistakes, notes
from grader.model.errors import UsageError

HELP = "Moodle: a file for Grades > Import > CSV (--roster with email, idnumber or username)"
FOR_STUDENTS = True
_IDENTITY = ("username", "email", "idnumber")
_HINT = "--roster FILE, a CSV file with the columns id and email, idnumber or username"


def render(grades: Iterable[Grade], options: Options) -> Table:
    """Return the file to import.

    Raises:
        UsageError: The roster does not say who is who.
    """
    columns = [name for name in _IDENTITY if any(told.get(name) for told in options.roster.values())]
    if not columns:
        raise UsageError("Moodle has to be told who is who", hint=_HINT)
    rows: list[Sequence[str | float | None]] = []
    lost, told, name, seen = [], [], options.column or "grade", dict[str, str]()
    for grade in grades:
        if grade.score is None:
            continue
        who = options.roster.get(grade.id, {})
        if not any(who.get(column) for column in columns):
            lost.append(f"{grade.id}: the roster does not say who that is in Moodle")
            continue
        _check(grade.id, who, columns, seen)
        if grade.score > grade.points:
            told.append(
                f"{grade.id} has more than the points ({grade.score:g}): Moodle takes that only where unlimited grades are on"
            )
        rows.append([*(who.get(column, "") for column in columns), grade.score, _feedback(grade, options)])
    return Table(sheet([[*columns, name, f"{name} feedback"], *rows]), lost, told)


def _check(student: str, who: Mapping[str, str], columns: Sequence[str], seen: dict[str, str]) -> None:
    for column in columns:
        value = who.get(column, "")
        if value and (other := seen.setdefault(f"{column} {value}", student)) != student:
            raise UsageError(f"{student!r} and {other!r} have one {column}", hint="mend the roster")
        if defused(value) != value:
            raise UsageError(
                f"the {column} of {student!r} is a formula to a spreadsheet, and cannot be written as it is",
                hint="leave that column out of the roster, and name them by another",
            )


def _feedback(grade: Grade, options: Options) -> str:
    """What is in it comes from the course: Moodle would show a student's own words as a page."""
    said = []
    for part in grade.parts:
        said += [f"{part.title.said_in(options.language)}: {note}" for note in notes(part, options)]
    for exercise in grade.exercises:
        names = [words.name for each in mistakes(exercise) for _, words in each.explained(options.language)]
        status = options.words.statuses[exercise.status]
        score = "" if exercise.score is None else f" {exercise.score:g}/{exercise.points:g}"
        said.append(f"{exercise.id}: {status}{score}" + (f" ({' '.join(names)})" if names else ""))
    return "; ".join(said)
