"""GitHub: a repository that students start from, whose workflow grades every push with the visible tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.bundle.item import Item, under
from grader.bundle.parts import Parts
from grader.bundle.render import rendered
from grader.kit.make import kit_files

# Where the workflow of a kit looks for the grader.
_HOME = ".github/grader"


@dataclass(frozen=True)
class GitHub:
    """A repository of each student's own, where everything can be read."""

    title: str = "GitHub"

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the repository to start from: a kit, and the grader as anybody may have it."""
        kit = [Item(target.as_posix(), source.read_bytes()) for source, target in kit_files(parts.assignments)]
        yield from under("starter", [*kit, *under(_HOME, [*parts.engine, *_told(parts.words)])])
        yield rendered("github/README.md", parts.words)


def _told(words: Mapping[str, str]) -> Iterator[Item]:
    """What the workflow asks the grader's folder: what to install, and for which Python."""
    lines = [f"./{_HOME}/{words['WHEEL']}", *words["PACKAGES"].split()]
    yield Item("requirements.txt", "".join(f"{each}\n" for each in lines).encode())
    yield Item(".python-version", words["PYTHON"].rpartition(".")[0].encode() + b"\n")
