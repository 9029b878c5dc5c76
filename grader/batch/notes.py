"""Notes on a run that change no score, but that whoever grades should hear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.batch.finished import How
from grader.batch.tally import Tally
from grader.escape.terminal import line
from grader.intake.base import Origin, Submission
from grader.intake.leftover import Leftover
from grader.intake.matching import Matched
from grader.intake.roster import Roster

_NAMED = 10


def left_out(found: Sequence[Leftover]) -> Iterator[str]:
    """Yield what to say of things beside the submissions, that may be somebody's work."""
    for each in found:
        if each.system:
            yield from _of_a_download(each)
        elif names := each.loose:
            verb = (
                "file in {} is no submission and was" if len(names) == 1 else "files in {} are no submissions and were"
            )
            remedy = "put it in a folder of its student" if len(names) == 1 else "put each in a folder of its student"
            yield f"{len(names)} {verb.format(line(str(each.path)))} left out: {listed(names)}; {remedy}"
        if names := each.dotted:
            verbs, remedy = (("starts", "was"), "it") if len(names) == 1 else (("start", "were"), "them")
            place = f"{listed(names)} in {line(str(each.path))}"
            yield f"{place} {verbs[0]} with a dot and so {verbs[1]} left out; rename {remedy} and grade again"


def _of_a_download(each: Leftover) -> Iterator[str]:
    if names := each.loose:
        verb = "belongs" if len(names) == 1 else "belong"
        yield f"{len(names)} in {line(str(each.path))} {verb} to no submission and will not be graded: {listed(names)}"


def about_class(found: Matched, roster: Roster | None) -> Iterator[str]:
    """Yield what to say of a class: whose work it is, whose is missing, and what its source says that decides nothing here."""
    if roster and found.unmatched:
        ids = listed(found.unmatched)
        yield f"of nobody in {line(str(roster.path))}, and graded under what they are called: {ids}"
    if roster and found.absent:
        yield f"on the roster and without a submission: {listed(found.absent)}"
    known = [each for each in found.submissions if each.origin]
    if late := [each.id for each in known if each.origin and each.origin.late]:
        yield f"marked late where they come from, which decides nothing here: {listed(late)}"
    if before := [_attempt(each.id, each.origin) for each in known if each.origin and _is_again(each.origin)]:
        yield f"of several attempts the last is graded, and what others left there is named in its report: {listed(before)}"
    if together := list(_together(known)):
        yield f"handed in together, and graded for each of them: {listed(together)}"


def _is_again(origin: Origin) -> bool:
    return bool(origin.earlier or origin.attempt)


def _attempt(name: str, origin: Origin) -> str:
    return f"{name} ({origin.attempt})" if origin.attempt else name


def untimed(found: Sequence[Submission], roster: Roster | None) -> str | None:
    """Return what to say where nothing tells when submissions were handed in but the time of the whole download; None elsewhere."""
    told = {student.folder for student in roster.students if student.get("submitted")} if roster else set()
    open_ = [each for each in found if each.origin and each.origin.shared and each.origin.submitted is None]
    if not any(each.id not in told for each in open_):
        return None
    remedy = "a column submitted in the roster does, or --submitted"
    return f"nothing tells when these were handed in but the time of the download itself, which a late policy should not go by: {remedy}"


def _together(submissions: Sequence[Submission]) -> Iterator[str]:
    groups = {
        tuple(sorted([each.id, *each.origin.partners])) for each in submissions if each.origin and each.origin.partners
    }
    yield from (" + ".join(group) for group in sorted(groups))


def earlier(out: Path, ids: Sequence[str]) -> str | None:
    """Return what to say of reports in `out` that this run does not write; None where there are none."""
    if not ids:
        return None
    return f"{line(str(out))} holds reports of an earlier run: {listed(ids)}; they are not in this summary"


def interrupted(graded: int, of: int, out: Path) -> str:
    """Return what a run came to that was stopped."""
    kept = f"their reports are in {line(str(out))}; " if graded else ""
    return f"{graded} of {of} graded, {kept}the same command grades the rest"


def work_done(tally: Tally) -> str | None:
    """Return what a run had to do where some of it was known; None where all was new."""
    if tally.done == tally.whys["new"]:
        return None
    reasons = ", ".join(f"{count} {why}" for why, count in sorted(tally.whys.items()))
    parts = [f"{tally.count(How.JUDGED)} judged ({reasons})" if reasons else "none judged"]
    parts += [f"{count} scored anew" for count in [tally.count(How.SCORED)] if count]
    parts += [f"{count} left as they were" for count in [tally.count(How.LEFT)] if count]
    return ", ".join(parts)


def listed(names: Sequence[str]) -> str:
    """Return names in one line, the first few of many."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(line, names[:_NAMED])) + more
