"""Where the class at a glance is written: for programs, for a spreadsheet, for the page of a workflow."""

from __future__ import annotations

import os
from pathlib import Path

from grader.batch.folder import SHEET, SUMMARY
from grader.graded.summary_csv import as_csv
from grader.graded.summary_markdown import as_markdown
from grader.model.errors import GraderError
from grader.model.report import Summary
from grader.pipeline.write import as_json, write_together

_PAGE = "GITHUB_STEP_SUMMARY"


def write_summary(out: Path, summary: Summary) -> None:
    """Write the summary into `out`, and append it to the page of the GitHub workflow that this runs in, if any.

    Raises:
        GraderError: A file cannot be written.
    """
    write_together({out / SUMMARY: as_json(summary), out / SHEET: as_csv(summary)})
    if page := os.environ.get(_PAGE):
        _append(Path(page), as_markdown(summary))


def _append(page: Path, text: str) -> None:
    try:
        with page.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise GraderError(
            f"cannot be written: {error.strerror}", where=page, hint=f"unset {_PAGE}; the reports are complete"
        ) from error
