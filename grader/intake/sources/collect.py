"""The submissions that a command line names, from whatever system they were downloaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from grader.intake.base import Refused, Submission
from grader.intake.discover import FOLDER, discover, refuse_collisions
from grader.intake.leftover import LeaveOut, Leftover
from grader.intake.names import shown
from grader.intake.sources.base import AUTO, Asked, Contents
from grader.intake.sources.place import Place, named, opened
from grader.intake.sources.recognise import Recognised, recognised
from grader.intake.sources.registry import SOURCES
from grader.intake.sources.take import take
from grader.model.errors import UsageError

CHOICES = (AUTO, *SOURCES, FOLDER)


def collect(
    paths: Sequence[Path],
    asked: Asked,
    leave_out: LeaveOut = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> list[Submission]:
    """Copy the submissions that lie at some paths.

    Args:
        paths: Downloads, or folders and archives of any other kind.
        asked: What is to be graded.
        leave_out: Told what a path holds beside the submissions.
        say: Told which system was recognised, and why.

    Returns:
        The submissions in the order of their ids.

    Raises:
        UsageError: A path does not exist, is not of the system that it is said to be, may be of several or holds nothing;
            or two submissions have one id.
    """
    if asked.source == FOLDER or (asked.source == AUTO and asked.mode != "auto"):
        return discover(paths, asked.wanted, asked.mode, asked.caps, leave_out)
    found: list[Submission] = []
    others: list[Path] = []
    for path in paths:
        taken = _from_system(path, asked, leave_out, say)
        if taken is None:
            others.append(path)
        else:
            found += taken
    if others or not paths:
        found += discover(others, asked.wanted, asked.mode, asked.caps, leave_out, alone=len(paths) == 1)
    found.sort(key=lambda each: each.id)
    refuse_collisions(found)
    return found


def _from_system(path: Path, asked: Asked, leave_out: LeaveOut, say: Callable[[str], None]) -> list[Submission] | None:
    """Return the submissions of a download; None where it is of no system, and is not said to be of one."""
    named = None if asked.source == AUTO else asked.source
    with ExitStack() as stack:
        try:
            top = stack.enter_context(opened(path, asked.caps))
            found = stack.enter_context(recognised(top, named)) if top else None
        except (Refused, OSError) as error:
            if named is None:
                return None  # whoever reads it as a folder of anything tells what is wrong with it
            raise UsageError(f"cannot be read: {shown(str(error))}", where=path, hint="download it again") from error
        if found is None or top is None:
            _refuse_none(path, named)
            return None
        if named is None:
            say(f"{shown(str(path))} is read as a download from {found.name}, for {shown(found.why)}")
        return _taken(top, found, asked, leave_out)


def _refuse_none(path: Path, named: str | None) -> None:
    if named is not None:
        hint = "leave out --source, or give the download as it came"
        raise UsageError(f"nothing there is as {named} has it", where=path, hint=hint)


def _taken(top: Place, found: Recognised, asked: Asked, leave_out: LeaveOut) -> list[Submission]:
    contents = found.source.contents(found.place, asked)
    leave_out(Leftover(top.path, _left(top, found.place, contents), (), found.name))
    if not contents.handed:
        raise UsageError("holds no submission", where=top.path, hint="download it again")
    return [take(found.place, each, found.name, asked.wanted) for each in contents.handed]


def _left(top: Place, place: Place, contents: Contents) -> tuple[str, ...]:
    """Name what is no submission's, also beside the folder in which they lie, and what had a name that is refused."""
    beside = [name for name in map(named, top.entries) if place.way and name != f"{place.way[0]}/"]
    refused = [problem.file for problem in top.level.problems]
    return (*(shown(name) for name in (*beside, *contents.left)), *refused)
