"""From folders of submissions to a page of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.assignment import Assignment
from grader.intake.discover import discover
from grader.pipeline.write import write_atomically
from grader.similar.fingerprints import Source
from grader.similar.page import as_page
from grader.similar.pairs import Pair, alike, same

# A page that nobody reads to its end helps nobody.
_SHOWN = 100


@dataclass(frozen=True)
class Compared:
    """What was found: groups of the same, pairs that are alike, and how many pairs the page leaves out."""

    same: Sequence[Sequence[Source]]
    pairs: Sequence[Pair]
    left_out: int


def compare(
    paths: Sequence[Path], loaded: Sequence[Assignment], out: Path, earlier: Sequence[Path] = (), least: float = 0.5
) -> Compared:
    """Compare the submissions of a class with each other and with earlier ones, and write the page.

    Args:
        paths: Submissions, as for grading.
        loaded: The assignments whose files are compared.
        out: The page.
        earlier: Submissions of earlier terms.
        least: The least part that is to be alike, 0 to 1.

    Raises:
        UsageError: There is no such path.
    """
    names = sorted({f"{module}.py" for each in loaded for module in each.manifest.programs})
    own = list(_sources(paths, names, ""))
    before = list(_sources(earlier, names, "earlier: ")) if earlier else []
    given = list(_templates(loaded))
    pairs = alike(own, given, before, least)
    bare = {each.text for each in given}
    found = Compared(same([each for each in own if each.text not in bare]), pairs[:_SHOWN], max(0, len(pairs) - _SHOWN))
    write_atomically(out, as_page(found.same, found.pairs, found.left_out, least))
    return found


def _sources(paths: Sequence[Path], names: Sequence[str], mark: str) -> Iterable[Source]:
    for submission in discover(paths, names):
        for name, content in submission.files.items():
            yield Source(f"{mark}{submission.id}", name, content.decode("utf-8", errors="replace"))


def _templates(assignments: Sequence[Assignment]) -> Iterable[Source]:
    for each in assignments:
        for module in each.manifest.programs:
            if (path := each.template(module)).is_file():
                yield Source("", path.name, path.read_text("utf-8"))
