"""What an executor is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.model.evidence import Evidence
from grader.sandbox.base import Level


@dataclass(frozen=True)
class Place:
    """What an executor is told when a run begins.

    Args:
        assignments: Those of the run.
        jobs: How many submissions are to be under way at once; None where the executor knows better.
        level: The isolation that every submission is held at.
        scheduler: The address of a cluster's scheduler, or the file that it is written in; None on this machine.
        say: Told of what happens to the place itself.
    """

    assignments: Sequence[Assignment]
    jobs: int | None
    level: Level
    scheduler: str | None = None
    say: Callable[[str], None] = lambda _: None


class Executor(Protocol):
    """A place where submissions are judged; a context manager that leaves nothing of the run behind."""

    @property
    def jobs(self) -> int:
        """How many submissions are under way at once."""
        ...

    def run(self, job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
        """Judge one submission to one assignment, once; called by several threads.

        What befalls this one alone, and is a fault of ours, is the `problem` of the evidence.

        Raises:
            Stopped: `stop` was set.
            GraderError: The place is gone, so that no other submission could be judged either.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Kind(Protocol):
    """One way of having an executor."""

    def level(self, asked: Level | None, minimum: Level) -> Level:
        """Return the level to hold submissions at.

        Args:
            asked: The one that was asked for.
            minimum: The weakest that will do.

        Raises:
            UsageError: What was asked for does not reach `minimum`.
            SandboxUnavailableError: It is not to be had.
        """
        ...

    def open(self, place: Place) -> Executor:
        """Make ready to judge.

        Raises:
            GraderError: It cannot be had; the message says why, and what to do about it.
        """
        ...
