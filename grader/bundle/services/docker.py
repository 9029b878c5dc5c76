"""Docker: a folder to build an image from that grades what is mounted into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.bundle.item import PROGRAM, Item
from grader.bundle.parts import Parts
from grader.bundle.render import rendered


@dataclass(frozen=True)
class Docker:
    """A container for each submission, in which an ordinary user grades."""

    title: str = "Docker"

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the folder that the image is built from."""
        words = parts.words
        yield rendered("docker/Dockerfile", words)
        yield rendered("docker/grade", words, mode=PROGRAM)
        yield from parts.engine
        yield from parts.course("docker")
        yield rendered("docker/README.md", words)
