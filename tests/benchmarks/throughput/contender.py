"""What takes part: something that grades folders of submissions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from tests.benchmarks.throughput.flavour import Flavour
from tests.benchmarks.throughput.ground import Ground

Grade = Callable[[Sequence[Path]], None]


class Contender(Protocol):
    """A way of grading. It refuses to have graded where a right submission is not found right."""

    name: str
    cores: int
    # How many submissions it grades in a round: for what is slow, a few say enough.
    share: float

    def lacking(self, flavour: Flavour) -> str | None:
        """Return why it cannot take part; None where it can."""
        ...

    def open(self, ground: Ground) -> AbstractContextManager[Grade]:
        """Make everything ready that is made ready once for a class."""
        ...
