"""How students are called elsewhere, as the exports look it up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.intake.roster import read_roster
from grader.model.errors import UsageError

# Of each student, by the id of their submission, what stands in each column, by the column's name as `heading_key` returns it.
Roster = Mapping[str, Mapping[str, str]]


def heading_key(name: str) -> str:
    """Return the name of a column without what people write differently: `SIS Login ID` and `sis_login_id` are one."""
    return "".join(char for char in name.casefold() if char.isalnum())


def columns_of(path: Path) -> Roster:
    """Return what a roster says.

    Raises:
        UsageError: It is missing or of another form, or a student is in it twice.
    """
    roster = read_roster(path)
    names = [heading_key(heading) for heading in roster.headings]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"it has two columns {twice[0]}", where=path, hint="leave one")
    return {
        student.folder: {heading_key(heading): value for heading, value in student.columns.items()}
        for student in roster.students
    }
