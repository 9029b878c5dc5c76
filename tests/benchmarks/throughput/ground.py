"""The folder of one measurement: submissions that are all different, and how many tests there are."""

from __future__ import annotations

import compileall
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from tests.benchmarks.throughput.flavour import Flavour

FILE = "attention.py"


@dataclass
class Ground:
    """Where one measurement takes place.

    Args:
        folder: A folder of its own.
        flavour: What is handed in.
        tests: How many tests a suite has.
    """

    folder: Path
    flavour: Flavour
    tests: int
    _numbers: Any = field(default_factory=count, repr=False)

    def __post_init__(self) -> None:
        self.right = self.flavour.submission(0)

    def hand_in(self, size: int) -> list[Path]:
        """Return a class of new submissions, each a folder, with their bytecode beside them as if they had been run before."""
        numbers = [*islice(self._numbers, size)]
        home = self.folder / f"class-{numbers[0]}"
        for number in numbers:
            student = home / f"s{number:05}"
            student.mkdir(parents=True)
            (student / FILE).write_text(self.flavour.submission(number + 1), encoding="utf-8")
        compileall.compile_dir(home, quiet=2)
        return sorted(home.iterdir())

    def place(self, name: str) -> Path:
        """Return an empty folder for a contender."""
        made = self.folder / name.replace(" ", "-").replace(",", "")
        made.mkdir()
        return made
