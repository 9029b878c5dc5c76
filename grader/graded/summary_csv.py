"""The class as a table for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator

from grader.escape.sheet import sheet
from grader.model.report import Summary

# Without it Excel takes the file for the country's old encoding, and Chinese names are lost.
UTF8 = "\ufeff"


def as_csv(summary: Summary) -> str:
    """Return the class as CSV: a row a submission, a column an exercise; a submission without a score has an empty one."""
    return UTF8 + sheet(_rows(summary))


def _rows(summary: Summary) -> Iterator[list[str | float | None]]:
    exercises = list(dict.fromkeys(exercise for row in summary.submissions for exercise in row.exercises))
    yield ["id", "status", "score", "points", *exercises]
    for row in summary.submissions:
        yield [row.id, row.status, row.score, row.points, *(row.exercises.get(each) for each in exercises)]
