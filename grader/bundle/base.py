"""What every service has in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from grader.bundle.item import Item
from grader.bundle.parts import Parts


class Service(Protocol):
    """A place that grades, or where students keep their work."""

    @property
    def title(self) -> str:
        """What it is called."""
        ...

    def items(self, parts: Parts) -> Iterator[Item]:
        """Yield the files of a bundle, README.md among them.

        Raises:
            UsageError: The service cannot grade these assignments.
            CourseError: The course cannot be graded with.
        """
        ...
