"""The roster: who is in the course, and what other systems call them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from grader.intake.ids import safe_id
from grader.intake.names import collision_key
from grader.intake.tables import delimiter_of, table_text
from grader.model.errors import UsageError

ID = "id"
_FORM = (
    "a CSV file with the column id, and any of name, email, canvas_id, sid, github, moodle_id, login, group, submitted"
)
# What else the columns are called in the files that a course's systems write. `ID` is not here: there it may be anyone's.
_ALSO = {
    "full_name": "name",
    "student": "name",
    "student_name": "name",
    "email_address": "email",
    "student_id": "sid",
    "id_number": "sid",
    "sis_user_id": "sid",
    "sis_login_id": "login",
    "username": "login",
    "user_name": "login",
    "github_username": "github",
}


@dataclass(frozen=True)
class Student:
    """One student of a course.

    Args:
        id: What the course calls them.
        columns: All that the roster holds of them, under the headings that it has there.
        line: The line of the roster.
    """

    id: str
    columns: Mapping[str, str] = field(default_factory=dict)
    line: int = 0

    @property
    def folder(self) -> str:
        """The id of their submission, and the name of the folder of their reports."""
        return safe_id(self.id)

    def get(self, column: str) -> str:
        """Return what a column holds, by its heading in any spelling or by our name of it; empty where there is nothing."""
        key = column_key(column)
        return next((value for heading, value in self.columns.items() if column_key(heading) == key and value), "")


@dataclass(frozen=True)
class Roster:
    """The students of a course, in the order of the file.

    Args:
        path: The file.
        headings: The columns, under the headings that they have there.
        students: The students.
    """

    path: Path
    headings: tuple[str, ...]
    students: tuple[Student, ...]

    @cached_property
    def columns(self) -> frozenset[str]:
        """Our names of the columns that it has."""
        return frozenset(map(column_key, self.headings))

    def find(self, column: str, value: str) -> list[Student]:
        """Return whom a value of a column stands for. Case, accents written in either way and blanks around it do not count."""
        return self._index.get((column_key(column), plain(value)), []) if plain(value) else []

    def of(self, submission: str) -> Student | None:
        """Return whose a submission is, by its id."""
        return next(iter(self._index.get((_FOLDER, submission), [])), None)

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], list[Student]]:
        index: dict[tuple[str, str], list[Student]] = {}
        for student in self.students:
            keys = {(_FOLDER, student.folder), *_keys(student)}
            for key in keys:
                index.setdefault(key, []).append(student)
        return index


_FOLDER = "folder of reports"


def read_roster(path: Path) -> Roster:
    """Return the roster in a file.

    Raises:
        UsageError: The file is missing or of another form, or a student is in it twice.
    """
    text = table_text(path, _FORM)
    rows = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="", delimiter=delimiter_of(text))
    try:
        headings = tuple(_told_apart(rows.fieldnames or ()))
    except csv.Error as error:
        raise UsageError(f"it is no CSV: {error}", where=path, line=1, hint=_FORM) from error
    _check(path, headings)
    rows.fieldnames = headings
    return Roster(path, headings, tuple(_students(path, rows)))


def _told_apart(headings: Iterable[str]) -> Iterator[str]:
    """Yield the headings: Canvas calls its own number `ID`, which beside our `id` is another column."""
    there = list(headings)
    yield from ("Canvas ID" if heading.strip() == "ID" and "id" in there else heading for heading in there)


def _check(path: Path, headings: Iterable[str]) -> None:
    keys = [column_key(heading) for heading in headings]
    if keys.count(ID) != 1:
        raise UsageError("it has no column id" if ID not in keys else "it has two columns id", where=path, hint=_FORM)


def _students(path: Path, rows: csv.DictReader[str]) -> Iterator[Student]:
    seen: dict[str, Student] = {}
    try:
        for row in rows:
            columns = {heading: value.strip() for heading, value in row.items() if isinstance(value, str)}
            known = next(value for heading, value in columns.items() if column_key(heading) == ID)
            student = Student(known, columns, rows.line_num)
            if not known:
                raise UsageError("a student has no id", where=path, line=rows.line_num, hint=_FORM)
            first = seen.setdefault(collision_key(student.folder), student)
            if first is not student:
                raise UsageError(
                    f"{known!r} is there twice: in line {first.line} too",
                    where=path,
                    line=rows.line_num,
                    hint="leave one, the last time of those that it has",
                )
            yield student
    except csv.Error as error:
        raise UsageError(f"it is no CSV: {error}", where=path, line=rows.line_num, hint=_FORM) from error


def column_key(heading: str) -> str:
    """Return our name of a column: `SIS Login ID` is `login`, `Canvas-ID` is `canvas_id`."""
    key = re.sub(r"[\W_]+", "_", unicodedata.normalize("NFKC", heading).casefold()).strip("_")
    return _ALSO.get(key, key)


def plain(value: str) -> str:
    """Return a value as it is compared."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", value).casefold()).strip()


def name_keys(name: str) -> set[str]:
    """Return a person's name in each order that a system may write it in, as letters alone: Canvas makes `Ada Lovelace` lovelaceada."""
    words = re.findall(r"[\w']+", plain(name))
    orders = [words[n:] + words[:n] for n in range(len(words))]
    return {"".join(re.findall(r"[^\W_]", "".join(order))) for order in orders} - {""}


def _keys(student: Student) -> Iterator[tuple[str, str]]:
    for heading, value in student.columns.items():
        key = column_key(heading)
        yield from ((key, each) for each in (name_keys(value) if key == "name" else {plain(value)}) if each)
