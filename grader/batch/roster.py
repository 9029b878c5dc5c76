"""When submissions were handed in, as somebody vouches for it: a time for all, or a file of the learning platform."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from grader.batch.dated import by_file
from grader.gradebook.policy.model import Policy
from grader.gradebook.results import Dated
from grader.intake.base import Submission
from grader.intake.ids import safe_id
from grader.intake.names import shown
from grader.model.errors import UsageError

Dating = Callable[[Submission], Dated]
_FORM = "a CSV file with the columns id and submitted, the time as 2026-10-01T23:59:00+08:00"


def dating(when: str | None, roster: Path | None, policy: Policy) -> Dating:
    """Return what tells when a submission was handed in: the roster, else the time for all, else its files.

    Args:
        when: A time for all.
        roster: A file with a time for each.
        policy: In its zone are times that name none.

    Raises:
        UsageError: A time or the file cannot be understood.
    """
    times = read_roster(roster, policy) if roster else {}
    for_all = None if when is None else instant(when, policy)

    def dated(submission: Submission) -> Dated:
        if submission.id in times:
            return Dated(shown(submission.source.name), times[submission.id], "roster")
        return by_file(submission) if for_all is None else Dated(shown(submission.source.name), for_all, "option")

    return dated


def read_roster(path: Path, policy: Policy) -> dict[str, int]:
    """Return when each student handed in, in seconds since 1970.

    Raises:
        UsageError: The file is missing or of another form, or a student is in it twice.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("cannot be read", where=path, hint=_FORM) from error
    rows = csv.DictReader(text.splitlines())
    if not {"id", "submitted"} <= {*(rows.fieldnames or [])}:
        raise UsageError("it has no columns id and submitted", where=path, hint=_FORM)
    times: dict[str, int] = {}
    for row in rows:
        student = safe_id(row["id"] or "")
        if student in times:
            raise UsageError(f"{student!r} is there twice", where=path, line=rows.line_num, hint="leave the last time")
        try:
            times[student] = instant(row["submitted"] or "", policy)
        except UsageError as error:
            raise UsageError(error.message, where=path, line=rows.line_num, hint=error.hint) from error
    return times


def instant(text: str, policy: Policy) -> int:
    """Return a time in seconds since 1970, fractions of a second left out.

    Raises:
        UsageError: It is none.
    """
    try:
        return policy.instant(datetime.fromisoformat(text.strip()))
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{text!r} is no time", hint="such as 2026-10-01T23:59:00+08:00") from error
