"""What was seen at the last check, beside the student's files as they are now; nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from grader.course.assignment import Assignment
from grader.kit.check import read_files, working_folder
from grader.kit.receipt import Receipt
from grader.kit.state import State
from grader.kit.touched import code_of
from grader.words import submit as words

_SHOWN = 6


def changed(assignments: Sequence[Assignment], state: State, here: Path) -> set[str]:
    """Return the exercises that were finished, and whose code has changed since they were checked.

    Args:
        assignments: Those to look at; one of which no file is there has changed in none.
        state: How far the student is.
        here: The working folder.
    """
    once = {name.partition(".")[0] for name in state.finished}
    code = _code([each for each in assignments if each.id in once], here)
    return {*state.owed(code)} & {*state.finished}


def doubts(
    assignments: Sequence[Assignment], receipt: Receipt, state: State, here: Path, language: str
) -> Iterator[str]:
    """Yield a line with what was packed though it failed when last checked, or was not checked as it is now."""
    code = _code([each for each in assignments if each.is_kit and each.id in receipt.begun], here)
    written = {name: digest for name, digest in code.items() if name not in receipt.bare}
    checked = [name for name in written if state.seen.get(name) == written[name]]
    failed = [name for name in checked if name not in state.finished]
    unchecked = [name for name in written if name not in checked]
    told = [
        said(language, names=_listed(names, language))
        for said, names in ((words.FAILED, failed), (words.UNCHECKED, unchecked))
        if names
    ]
    if told:
        yield words.BETWEEN(language).join(told)


def _code(assignments: Sequence[Assignment], here: Path) -> Mapping[str, str]:
    """A digest of the code of each exercise of which there are files."""
    there = [(each, working_folder(here, each.course, each)) for each in assignments]
    return {
        name: digest
        for each, folder in there
        if folder is not None
        for name, digest in code_of(each.manifest, read_files(each, folder)).items()
    }


def _listed(names: Sequence[str], language: str) -> str:
    more = len(names) - _SHOWN
    # One more takes no more room by its name.
    shown = names if more <= 1 else names[:_SHOWN]
    return ", ".join(shown) + (words.AND_MORE(language, count=more) if more > 1 else "")
