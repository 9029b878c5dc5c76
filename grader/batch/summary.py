"""The class at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from grader import __version__
from grader.model.report import Report, Summary, SummaryRow


@dataclass(frozen=True)
class Asked:
    """What a run was to grade.

    Args:
        ids: The ids of all submissions.
        left_out: What lay beside them and is none.
    """

    ids: Sequence[str] = ()
    left_out: Sequence[str] = ()


def summarise(
    reports: Sequence[Report],
    assignments: Sequence[str],
    seconds: float,
    *,
    asked: Asked = Asked(),
    interrupted: bool = False,
) -> Summary:
    """Return the summary of a run, with the submissions in the order of their ids.

    Args:
        reports: What was graded.
        assignments: The ids of the assignments.
        seconds: How long the run took.
        asked: What was to be graded.
        interrupted: Whether somebody stopped the run.
    """
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
        interrupted=interrupted,
        not_graded=sorted(set(asked.ids) - {row.id for row in rows}),
        left_out=list(asked.left_out),
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
