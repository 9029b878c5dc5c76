"""What is kept of each submission of a class, and of each exercise and misconception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.model.evidence import Explanation
from grader.model.manifest import Text
from grader.model.verdict import Status


@dataclass
class Exercise:
    """An exercise of the class: its title, and what became of it."""

    id: str
    title: Text
    found: Counter[Status] = field(default_factory=Counter)

    @property
    def graded(self) -> int:
        """How many have a verdict; a fault of ours is none."""
        return sum(count for status, count in self.found.items() if not status.is_ours)

    @property
    def passed(self) -> float:
        """The share that passed."""
        return self.found[Status.PASSED] / self.graded if self.graded else 0.0


@dataclass
class Mistake:
    """A misconception, with who holds it."""

    id: str
    en: Explanation
    zh_tw: Explanation
    students: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A submission, in short.

    Args:
        id: Whose.
        status: Its status.
        score: What it earned; None where the fault is ours.
        points: What could be earned.
        counted: What counts, with lateness and decisions; None without a gradebook.
        days_late: Over all its assignments.
        passed: How many of its exercises passed.
        exercises: How many it has.
        mistakes: The ids of its misconceptions.
        seconds: How long it took.
    """

    id: str
    status: Status
    score: float | None
    points: float
    counted: float | None
    counted_points: float
    days_late: int
    passed: int
    exercises: int
    mistakes: Sequence[str]
    seconds: float


@dataclass(frozen=True)
class Fault:
    """A fault of ours."""

    id: str
    where: str
    message: str


@dataclass(frozen=True)
class Slow:
    """A submission that took long, and what of it took longest."""

    id: str
    seconds: float
    what: str
    of_it: float


@dataclass(frozen=True)
class Flagged:
    """Something in a submission's source that a person should look at."""

    id: str
    file: str
    line: int
    name: str
