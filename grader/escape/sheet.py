"""Cells of a CSV file that a spreadsheet shows and never computes."""

from __future__ import annotations

import re

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
    text = _BEFORE_A_FORMULA.sub(r"\1'", line(value)).replace('"', '""')
    return f'"{text}"'
