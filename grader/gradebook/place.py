"""Which gradebook is meant, and after which of its runs."""

from __future__ import annotations

import re
from pathlib import Path

from grader.course.toml import load_toml
from grader.gradebook.book import FILE_NAME, Book
from grader.gradebook.policy.model import FILE_NAME as POLICY
from grader.gradebook.policy.model import Policy
from grader.model.errors import UsageError


def file_of(path: Path) -> Path:
    """Return the gradebook at a path, which may be the folder of reports that it lies in."""
    return path / FILE_NAME if path.is_dir() else path


def opened(path: Path) -> Book:
    """Open a gradebook that is there.

    Raises:
        UsageError: It is missing, or is none.
    """
    return Book(file_of(path), must_exist=True)


def at_run(text: str) -> tuple[Path, int | None]:
    """Return what `PATH` or `PATH@RUN` means."""
    named = re.fullmatch(r"(.+)@(\d+)", text)
    return (Path(named[1]), int(named[2])) if named and not Path(text).exists() else (Path(text), None)


def check_run(book: Book, run: int | None) -> None:
    """Refuse a run that there is not.

    Raises:
        UsageError: There is none of that number.
    """
    last = book.rows("SELECT max(id) FROM runs")[0][0] or 0
    if run is not None and not 1 <= run <= last:
        raise UsageError(f"there is no run {run}", where=book.path, hint=f"there are runs 1 to {last}")


def policy_for(book: Path, named: Path | None) -> Policy:
    """Return the policy: what was named, else `policy.toml` beside the gradebook, else one that decides nothing.

    Raises:
        UsageError: It was named and is missing.
        CourseError: It is wrong.
    """
    path = named or book.parent / POLICY
    if named and not named.is_file():
        raise UsageError("there is no such policy", where=named, hint="`grader schema policy` prints what may be in it")
    return load_toml(path, Policy, "policy") if path.is_file() else Policy()
