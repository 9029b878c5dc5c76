"""The class at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from grader import __version__
from grader.model.report import Summary, SummaryRow


@dataclass(frozen=True)
class Asked:
    """What a run was to grade.

    Args:
        ids: The ids of all submissions.
        left_out: What lay beside them and is none.
        unmatched: The ids of those that are of nobody on the roster.
        absent: Who is on the roster and handed in nothing.
    """

    ids: Sequence[str] = ()
    left_out: Sequence[str] = ()
    unmatched: Sequence[str] = ()
    absent: Sequence[str] = ()


def summarise(
    rows: Sequence[SummaryRow],
    assignments: Sequence[str],
    seconds: float,
    *,
    asked: Asked = Asked(),
    interrupted: bool = False,
) -> Summary:
    """Return the summary of a run, with the submissions in the order of their ids.

    Args:
        rows: What was graded.
        assignments: The ids of the assignments.
        seconds: How long the run took.
        asked: What was to be graded.
        interrupted: Whether somebody stopped the run.
    """
    rows = sorted(rows, key=lambda row: row.id)
    scores = [row.score for row in rows if row.score is not None]
    return Summary(
        grader_version=__version__,
        assignments=list(assignments),
        points=rows[0].points if rows else 0.0,
        graded=len(rows),
        grader_errors=sum(row.status.is_ours for row in rows),
        mean=round(fmean(scores), 2) if scores else None,
        submissions=list(rows),
        interrupted=interrupted,
        not_graded=sorted(set(asked.ids) - {row.id for row in rows}),
        left_out=list(asked.left_out),
        unmatched=sorted(set(asked.unmatched) & set(asked.ids)),
        absent=list(asked.absent),
        timings={"total": round(seconds, 3)},
    )
