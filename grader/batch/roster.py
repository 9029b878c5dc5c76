"""When submissions were handed in, as somebody vouches for it: the roster, a time for all, or the system they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from grader.batch.dated import by_file
from grader.gradebook.policy.model import Policy
from grader.gradebook.results import Dated
from grader.intake.base import Submission
from grader.intake.names import shown
from grader.intake.roster import Roster
from grader.model.errors import UsageError

Dating = Callable[[Submission], Dated]


def dating(when: str | None, roster: Roster | None, policy: Policy) -> Dating:
    """Return what tells when a submission was handed in: the roster, else the time for all, else its source, else its files.

    Args:
        when: A time for all.
        roster: The roster, with a time for each in the column `submitted` or without one.
        policy: In its zone are times that name none.

    Raises:
        UsageError: A time cannot be understood.
    """
    times = submitted(roster, policy) if roster else {}
    for_all = None if when is None else instant(when, policy)

    def dated(submission: Submission) -> Dated:
        name = shown(submission.place)
        if submission.id in times:
            return Dated(name, times[submission.id], "roster")
        if for_all is not None:
            return Dated(name, for_all, "option")
        told = submission.origin.submitted if submission.origin else None
        return by_file(submission) if told is None else Dated(name, policy.instant(told), "source")

    return dated


def submitted(roster: Roster, policy: Policy) -> Mapping[str, int]:
    """Return when each student handed in, in seconds since 1970, by the id of their submission; of whom nothing is told, nothing.

    Raises:
        UsageError: A time cannot be understood.
    """
    times: dict[str, int] = {}
    for student in roster.students:
        if text := student.get("submitted"):
            try:
                times[student.folder] = instant(text, policy)
            except UsageError as error:
                raise UsageError(error.message, where=roster.path, line=student.line, hint=error.hint) from error
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
