"""Tell which pages were written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.html.overview import REPORT
from grader.html.write import Written


def told(written: Written, out: Path) -> Iterator[str]:
    """Yield lines about what was written to a folder."""
    pages = "page" if written.students == 1 else "pages"
    yield f"{written.students} {pages} of students: {out}/STUDENT/{REPORT}"
    if written.index:
        yield f"the class: {written.index}"
    if written.withheld:
        count = len(written.withheld)
        yield f"{count} withheld, of whom nothing is released: `grader gradebook release` or policy.toml releases an assignment"
