"""The page of a workflow's run."""

from __future__ import annotations

from pathlib import Path

from grader.model.errors import GraderError


def append(page: Path, text: str) -> None:
    """Add text to the page.

    Raises:
        GraderError: It cannot be written to.
    """
    try:
        with page.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{text}\n")
    except OSError as error:
        raise GraderError(
            f"cannot be written: {error.strerror}", where=page, hint="unset GITHUB_STEP_SUMMARY to do without the page"
        ) from error
