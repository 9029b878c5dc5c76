"""Cells of a CSV file that a spreadsheet shows and never computes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grader.escape.terminal import line

# What starts a formula, with its wide forms. Where a comma is the decimal mark a spreadsheet splits at `;`, so what
# follows one may stand first in a cell; quotes and spaces before it are dropped.
_BEFORE_A_FORMULA = re.compile("(^|;)(?=[\\s\"']*[=+\\-@\uff1d\uff0b\uff0d\uff20])")


def cell(value: str | float | None) -> str:
    """Return one cell: a number as a number, text in quotes and as text, nothing for None."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value)
    text = defused(value).replace('"', '""')
    return f'"{text}"'


def defused(text: str) -> str:
    """Return text that is no formula, for whoever puts the quotes around it."""
    return _BEFORE_A_FORMULA.sub(r"\1'", line(text))


def sheet(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Return rows of cells as CSV."""
    return "".join(f"{','.join(map(cell, row))}\n" for row in rows)
