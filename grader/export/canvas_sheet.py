"""A gradebook as Canvas exports it: who a row is, and which column an assignment has."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from grader.intake.tables import table_text
from grader.model.errors import UsageError

# Only a column with Canvas's own number is an assignment that is there: of any other name Canvas makes a new one.
_NUMBERED = re.compile(r"(.+) \(\d+\)")
_NO_STUDENT = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_SECTION = "Section"
_HINT = "in Canvas, Grades > Export > Export Entire Gradebook writes it"


@dataclass(frozen=True)
class CanvasSheet:
    """An exported gradebook.

    Args:
        path: Where it lies.
        rows: All of its rows, the header first.
        delimiter: What stands between its cells.
        mark: Whether it begins with the mark of UTF-8.
    """

    path: Path
    rows: Sequence[Sequence[str]]
    delimiter: str
    mark: bool

    @property
    def header(self) -> Sequence[str]:
        """The names of the columns."""
        return self.rows[0]

    @property
    def identity(self) -> range:
        """The columns that say who a row is, up to the section."""
        return range(self.header.index(_SECTION) + 1)

    def is_student(self, row: Sequence[str]) -> bool:
        """Whether a row is a student's, as Canvas decides it."""
        return "Points Possible" not in row[0] and not all(map(_NO_STUDENT.fullmatch, row))

    def points(self, column: int) -> str:
        """Return what stands under `Points Possible`; nothing where there is no such row."""
        return next((row[column] for row in self.rows[1:] if "Points Possible" in row[0]), "").strip()

    def column(self, wanted: str | None) -> int:
        """Return the column of an assignment, by its whole name or by what stands before Canvas's number.

        Raises:
            UsageError: There is none, there are several, or Canvas would not read it.
        """
        names = {name: _NUMBERED.fullmatch(name) for name in self.header[len(self.identity) :]}
        there = [name for name, numbered in names.items() if numbered]
        found = [name for name in there if wanted in (name, _title(name))]
        if len(found) != 1 or self.header.count(found[0]) > 1:
            self._refuse(wanted, found, there)
        column = self.header.index(found[0])
        if "read only" in self.points(column):
            raise UsageError(
                f"{found[0]!r} is read only there, so Canvas would not take it",
                where=self.path,
                hint="name the column of an assignment, not one that Canvas adds up itself",
            )
        return column

    def _refuse(self, wanted: str | None, found: Sequence[str], there: Sequence[str]) -> NoReturn:
        if wanted is None:
            said = "which column is to be filled in?"
        elif found:
            said = f"{wanted!r} is the name of several columns"
        else:
            said = f"there is no column {wanted!r} with a number of Canvas"
        near = found or get_close_matches(wanted or "", there, n=3, cutoff=0.4) or there
        hint = (
            f"--assignment-column {' or '.join(map(repr, near))}"
            if near
            else "make the assignment in Canvas, and export again"
        )
        raise UsageError(said, where=self.path, hint=hint)


def read_canvas(path: Path) -> CanvasSheet:
    """Read a gradebook that Canvas exported.

    Raises:
        UsageError: It cannot be read, or is none.
    """
    text = table_text(path, _HINT)
    mark = path.read_bytes().startswith(codecs.BOM_UTF8)
    try:
        delimiter = max(",;", key=lambda char: len(_rows(text, char)[0]))
        rows = _rows(text, delimiter)
    except csv.Error as error:
        raise UsageError(f"it is no CSV: {error}", where=path, hint=_HINT) from error
    header = rows[0]
    if not _is_header(header):
        raise UsageError("is no gradebook of Canvas: its first row says so", where=path, hint=_HINT)
    if any(len(row) != len(header) for row in rows):
        raise UsageError("not all of its rows have as many cells as the first", where=path, hint=_HINT)
    return CanvasSheet(path, rows, delimiter, mark)


def _title(header: str) -> str:
    return header.rpartition(" (")[0]


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    return [row for row in rows if any(cell.strip() for cell in row)] or [[]]


def _is_header(row: Sequence[str]) -> bool:
    """Whether Canvas would take a row for a header."""
    named = row[:2] == ["LastName", "FirstName"] and "ID" in row[2:3]
    return _SECTION in row and (named or ("Student" in row[0] and "ID" in row[1]))
