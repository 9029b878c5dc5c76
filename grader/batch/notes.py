"""Notes on a run that change no score, but that whoever grades should hear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.batch.finished import How
from grader.batch.tally import Tally
from grader.escape.terminal import line
from grader.intake.leftover import Leftover

_NAMED = 10


def left_out(found: Sequence[Leftover]) -> Iterator[str]:
    """Yield what to say of things beside the submissions, that may be somebody's work."""
    for each in found:
        if names := each.loose:
            verb = (
                "file in {} is no submission and was" if len(names) == 1 else "files in {} are no submissions and were"
            )
            remedy = "put it in a folder of its student" if len(names) == 1 else "put each in a folder of its student"
            yield f"{len(names)} {verb.format(line(str(each.path)))} left out: {listed(names)}; {remedy}"
        if names := each.dotted:
            verbs, remedy = (("starts", "was"), "it") if len(names) == 1 else (("start", "were"), "them")
            place = f"{listed(names)} in {line(str(each.path))}"
            yield f"{place} {verbs[0]} with a dot and so {verbs[1]} left out; rename {remedy} and grade again"


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
