"""A class in Markdown, for the page of a workflow: `>> "$GITHUB_STEP_SUMMARY"`."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from grader import __version__
from grader.export.base import Options, Table
from grader.export.grade import Grade
from grader.graded.summary_markdown import as_markdown
from grader.model.report import Summary, SummaryRow
from grader.model.verdict import Status

HELP = "Markdown of a class: for $GITHUB_STEP_SUMMARY"
FOR_STUDENTS = False


def render(grades: Iterable[Grade], options: Options) -> Table:
    """Return the table that `grader grade` shows there, with what counts."""
    del options
    rows = [_row(grade) for grade in grades]
    scores = [row.score for row in rows if row.score is not None]
    summary = Summary(
        grader_version=__version__,
        assignments=[],
        points=max((row.points for row in rows), default=0),
        graded=len(rows),
        grader_errors=sum(row.status is Status.GRADER_ERROR for row in rows),
        mean=fmean(scores) if scores else None,
        submissions=rows,
        timings={},
    )
    return Table(as_markdown(summary))


def _row(grade: Grade) -> SummaryRow:
    status = Status.GRADER_ERROR if grade.fault else grade.status or _standing(grade)
    return SummaryRow(id=grade.id, status=status, score=grade.score, points=grade.points, exercises={}, report="")


def _standing(grade: Grade) -> Status:
    """What to say of somebody for whom something counts that they did not hand in."""
    return Status.PASSED if grade.score == grade.points else Status.PARTIAL
