"""Canvas's gradebook: one column of the file that Canvas exported, filled in.

Canvas takes every column that it finds, so only that one is written beside those that say who a row is: what was
graded there in the meantime stays. Its number keeps Canvas from making a new assignment of it. Who has no new score
keeps the cell as it was, for Canvas would take an empty one for a wish to delete.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from grader.escape.sheet import defused
from grader.export.base import Options, Table
from grader.export.canvas_sheet import CanvasSheet, read_canvas
from grader.export.grade import Grade
from grader.export.roster import Roster
from grader.graded.summary_csv import UTF8
from grader.intake.ids import safe_id
from grader.model.errors import UsageError

HELP = "Canvas: one column of the gradebook that it exported (--into, --assignment-column)"
FOR_STUDENTS = True
_EXCUSED = "EX"
# Canvas's columns, and those of a roster in which the same stands.
_IDENTITY = {
    "ID": ("canvasid", "canvasuserid"),
    "SIS User ID": ("sisuserid", "idnumber", "studentnumber"),
    "SIS Login ID": ("sisloginid", "login", "loginid", "username", "email"),
}


def render(grades: Iterable[Grade], options: Options) -> Table:
    """Return the file to import.

    Raises:
        UsageError: The gradebook is missing or is none, has no such column, or two students would have one row.
    """
    if options.into is None:
        raise UsageError("Canvas needs its own gradebook to be filled in", hint="--into FILE, as Canvas exported it")
    sheet = read_canvas(options.into)
    column = sheet.column(options.column)
    index = _index(sheet)
    cells: dict[int, str] = {}
    lost, notes = [], []
    points = 0.0
    for grade in grades:
        points = max(points, grade.points)
        row = _row_of(grade.id, sheet, index, options.roster)
        if row is None:
            lost.append(f"{grade.id}: no row in the gradebook has a {', '.join(_IDENTITY)} of theirs")
        elif row in cells:
            raise UsageError(
                f"{grade.id!r} has a row that is another's too",
                where=sheet.path,
                line=row + 1,
                hint="mend what --roster says of the two",
            )
        else:
            cells[row] = _cell(grade, sheet.rows[row][column])
    if (asked := sheet.points(column)) and not _equal(asked, points):
        notes.append(f"{sheet.header[column]} is out of {asked} in Canvas, and out of {points:g} here")
    return Table(_written(sheet, column, cells), lost, notes)


def _cell(grade: Grade, before: str) -> str:
    if grade.excused:
        return _EXCUSED
    return before if grade.score is None else f"{grade.score:.2f}"


def _index(sheet: CanvasSheet) -> Mapping[tuple[str, str], set[int]]:
    """Return which rows have what in a column that says who a row is."""
    places = {name: sheet.header.index(name) for name in _IDENTITY if name in sheet.header}
    found: dict[tuple[str, str], set[int]] = {}
    for number, row in enumerate(sheet.rows):
        if number and sheet.is_student(row):
            for name, place in places.items():
                found.setdefault((name, safe_id(row[place])), set()).add(number)
    return found


def _row_of(student: str, sheet: CanvasSheet, index: Mapping[tuple[str, str], set[int]], roster: Roster) -> int | None:
    """Return a student's row, by what stands in like columns; without a roster by what their submission is called."""
    known = _known(student, roster)
    found = {row for name, values in known.items() for value in values for row in index.get((name, value), ())}
    if len(found) > 1:
        rows = ", ".join(str(number + 1) for number in sorted(found))
        raise UsageError(f"{student!r} may be any of the rows {rows}", where=sheet.path, hint="say more in --roster")
    return next(iter(found), None)


def _known(student: str, roster: Roster) -> Mapping[str, set[str]]:
    """Return what may stand in Canvas's columns, in the form that ids have."""
    told = roster.get(student)
    if told is None:
        return {name: {student} for name in _IDENTITY}
    known = {name: {safe_id(told[each]) for each in columns if told.get(each)} for name, columns in _IDENTITY.items()}
    # A roster that says nothing of Canvas leaves what the submission is called.
    return known if any(known.values()) else {name: {student} for name in _IDENTITY}


def _equal(text: str, points: float) -> bool:
    try:
        return float(text.replace(",", ".")) == points
    except ValueError:
        return False


def _written(sheet: CanvasSheet, column: int, cells: Mapping[int, str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sheet.delimiter, lineterminator="\r\n")
    for number, row in enumerate(sheet.rows):
        who = [_harmless(sheet.header[place], row[place], sheet, row) for place in sheet.identity]
        writer.writerow([*who, cells.get(number, row[column])])
    return (UTF8 if sheet.mark else "") + out.getvalue()


def _harmless(name: str, text: str, sheet: CanvasSheet, row: Sequence[str]) -> str:
    """What a row is found by stays as it is; a name is for people, and may be no formula to their spreadsheet."""
    return text if name.endswith("ID") or not sheet.is_student(row) else defused(text)
