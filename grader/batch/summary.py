"""The class at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from grader import __version__
from grader.model.report import Report, Summary, SummaryRow


def summarise(reports: Sequence[Report], assignments: Sequence[str], seconds: float) -> Summary:
    """Return the summary of a run, with the submissions in the order of their ids."""
    rows = [_row(report) for report in sorted(reports, key=lambda report: report.submission.id)]
    scores = [row.score for row in rows if row.score is not None]
    return Summary(
        grader_version=__version__,
        assignments=list(assignments),
        points=reports[0].points if reports else 0.0,
        graded=len(rows),
        grader_errors=sum(row.status.is_ours for row in rows),
        mean=round(fmean(scores), 2) if scores else None,
        submissions=rows,
        timings={"total": round(seconds, 3)},
    )


def _row(report: Report) -> SummaryRow:
    return SummaryRow(
        id=report.submission.id,
        status=report.status,
        score=report.score,
        points=report.points,
        exercises={
            exercise.id: exercise.status for assignment in report.assignments for exercise in assignment.exercises
        },
        report=f"{report.submission.id}/report.json",
    )
