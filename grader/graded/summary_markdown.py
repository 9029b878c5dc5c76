"""The class as a table for the page of a GitHub workflow."""

from __future__ import annotations

from collections.abc import Iterator

from grader.escape.markdown import markdown
from grader.model.report import Summary, SummaryRow

# GitHub shows nothing at all of a page beyond 1 MiB; a row is at most some 300 bytes.
_MOST_ROWS = 3000


def as_markdown(summary: Summary) -> str:
    """Return the class as a Markdown table, with a line about it above."""
    return "".join(f"{line}\n" for line in _lines(summary))


def _lines(summary: Summary) -> Iterator[str]:
    rows = summary.submissions
    mean = "" if summary.mean is None else f", mean {summary.mean:.2f} / {summary.points:g}"
    faults = f", {summary.grader_errors} without a score by a fault of the grader" if summary.grader_errors else ""
    missing = f", {len(summary.not_graded)} not graded" if summary.not_graded else ""
    yield from (f"{summary.graded} graded{mean}{faults}{missing}", "")
    yield from ("| submission | status | score |", "|---|---|---:|")
    yield from (_line(row) for row in rows[:_MOST_ROWS])
    if len(rows) > _MOST_ROWS:
        yield from ("", f"and {len(rows) - _MOST_ROWS} more")
    yield ""


def _line(row: SummaryRow) -> str:
    score = "no score" if row.score is None else f"{row.score:.2f} / {row.points:g}"
    return f"| {markdown(row.id)} | {row.status} | {score} |"
