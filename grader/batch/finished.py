"""A submission that is finished: what is kept of it in memory, however large its report is."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum

from grader.batch.seen import seen
from grader.model.manifest import Strict
from grader.model.report import Report, SummaryRow


class How(StrEnum):
    """What had to be done for a report."""

    JUDGED = "judged"
    SCORED = "scored"
    LEFT = "left"


class Line(Strict):
    """What the class at a glance holds of a submission."""

    row: SummaryRow
    seen: str


@dataclass(frozen=True)
class Finished:
    """A submission whose reports are on disk.

    Args:
        line: What is told of it.
        how: Judged just now, scored anew from what was found before, or left as it was.
        why: Why it was judged; empty where it was not.
        seconds: How long it took.
    """

    line: Line
    how: How
    why: str = ""
    seconds: float = 0.0

    @property
    def row(self) -> SummaryRow:
        """Its row in the summary."""
        return self.line.row


def line_of(report: Report) -> Line:
    """Return what is kept of a report."""
    exercises = [exercise for assignment in report.assignments for exercise in assignment.exercises]
    row = SummaryRow(
        id=report.submission.id,
        status=report.status,
        score=report.score,
        points=report.points,
        # A class has thousands of rows and few names: each name is there once.
        exercises={sys.intern(exercise.id): exercise.status for exercise in exercises},
        report=f"{report.submission.id}/report.json",
    )
    return Line(row=row, seen=seen(report))
