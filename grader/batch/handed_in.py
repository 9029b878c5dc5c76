"""What a run is to grade: the submissions that its paths hold, put together with the roster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.batch.notes import about_class, left_out
from grader.course.assignment import Assignment
from grader.intake.base import Submission, caps_for
from grader.intake.discover import Mode
from grader.intake.leftover import Leftover
from grader.intake.matching import Matched, each_partners, matched
from grader.intake.roster import Roster
from grader.intake.sources.base import Asked
from grader.intake.sources.collect import collect


@dataclass(frozen=True)
class HandedIn:
    """What is to be graded, and what whoever grades should hear of it.

    Args:
        submissions: The submissions.
        left_out: The names of what lay beside them.
        unmatched: The ids of those that are of nobody on the roster.
        absent: Who is on the roster and handed in nothing.
        notes: What to say.
    """

    submissions: list[Submission]
    left_out: Sequence[str]
    unmatched: Sequence[str]
    absent: Sequence[str]
    notes: Sequence[str]


def handed_in(
    paths: Sequence[Path], asked: Asked, roster: Roster | None, out: Path, say: Callable[[str], None]
) -> HandedIn:
    """Copy the submissions that lie at some paths, and find out whose they are.

    Args:
        paths: What the command line names.
        asked: What is to be graded.
        roster: Who is in the course, where that is known.
        out: The folder of reports: written beside the submissions, it is none.
        say: Told which system was recognised.

    Raises:
        UsageError: A path cannot be read, or it cannot be told what it is, or whose.
    """
    beside: list[Leftover] = []
    found = [each for each in collect(paths, asked, beside.append, say) if not _same(each.source, out)]
    known = Matched(each_partners(found)) if roster is None else matched(found, roster)
    names = [name for each in beside for name in (*each.loose, *each.dotted)]
    notes = [*left_out(beside), *about_class(known, roster)]
    return HandedIn(known.submissions, names, known.unmatched, known.absent, notes)


def asked_of(assignments: Sequence[Assignment], source: str, mode: Mode) -> Asked:
    """Return what is to be graded: which files are taken of a submission, and what they may cost.

    Args:
        assignments: The assignments.
        source: Where the submissions are from.
        mode: How what is of no system is read.
    """
    limits = {name: limit for each in assignments for name, limit in each.manifest.taken.items()}
    ids = [each.id for each in assignments]
    return Asked(sorted(limits), ids, caps_for(limits), source, mode)


def _same(source: Path, out: Path) -> bool:
    try:
        return source.samefile(out)
    except OSError:  # one of them is not there
        return False
