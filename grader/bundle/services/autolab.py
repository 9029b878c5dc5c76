"""Autolab: a tar and the Makefile that unpacks and runs it, in a job of Tango."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from grader.bundle.archive import tarred
from grader.bundle.item import PROGRAM, SECRET, Item, under
from grader.bundle.parts import Parts
from grader.bundle.render import rendered
from grader.model.errors import UsageError


@dataclass(frozen=True)
class Autolab:
    """A container for each hand-in; the last line that is printed is the result."""

    title: str = "Autolab"

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the Makefile, the tar, and an image to make it faster.

        Raises:
            UsageError: An assignment has a worksheet, and Autolab does not say whose a hand-in is.
        """
        if asking := [each.id for each in parts.assignments if each.manifest.worksheet]:
            raise UsageError(
                f"{asking[0]} has a worksheet, with numbers drawn from the student's id, and Autolab does not tell whose a hand-in is",
                hint="grade it with `grader grade`, or leave it out",
            )
        none = json.dumps({"scores": dict.fromkeys(parts.ids)})
        words = parts.words | {"PROBLEMS": _problems(parts), "NO_SCORES": none}
        run = rendered("autolab/run", words, mode=PROGRAM)
        yield rendered("autolab/autograde-Makefile", words)
        inside = under("autograde", [run, *parts.engine, *parts.course("autolab")])
        yield Item("autograde.tar", tarred(inside), SECRET)
        yield from under("image", [rendered("autolab/Dockerfile", words), *parts.engine])
        yield rendered("autolab/README.md", words)


def _problems(parts: Parts) -> str:
    rows = [f"| {each.id} | {each.manifest.points:g} |" for each in parts.assignments]
    return "\n".join(["| problem | points |", "|---|---:|", *rows])
