"""Gradescope: a zip with `setup.sh`, which builds the image, and `run_autograder`, which grades a submission in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.bundle.archive import zipped
from grader.bundle.item import PROGRAM, SECRET, Item
from grader.bundle.parts import Parts
from grader.bundle.render import rendered


@dataclass(frozen=True)
class Gradescope:
    """A container for each submission, in which root grades."""

    title: str = "Gradescope"

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the zip to upload, and what to know of it."""
        words = parts.words
        programs = [rendered(f"gradescope/{name}", words, mode=PROGRAM) for name in ("setup.sh", "run_autograder")]
        yield Item("autograder.zip", zipped([*programs, *parts.engine, *parts.course("gradescope")]), SECRET)
        yield rendered("gradescope/README.md", words)
