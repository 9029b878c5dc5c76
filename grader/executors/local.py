"""This machine: warm judges, one a thread that judges."""

from __future__ import annotations

import os

from grader.executors.base import Executor, Place
from grader.judge.warm.slots import Slots, processors_for
from grader.model.errors import UsageError
from grader.sandbox.base import Level
from grader.sandbox.registry import chosen


class LocalExecutor(Slots):
    """Judges on this machine.

    Args:
        jobs: How many submissions at once; None for one a processor.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        super().__init__(processors_for(self.jobs))


class Local:
    """Judging on this machine."""

    def level(self, asked: Level | None, minimum: Level) -> Level:
        """Return what was asked for, else the strongest that this machine gives."""
        return chosen(asked, minimum)

    def open(self, place: Place) -> Executor:
        """Make ready to judge.

        Raises:
            UsageError: A scheduler was named.
        """
        if place.scheduler is not None:
            raise UsageError("--scheduler names a cluster", hint="add --executor dask, or leave it out")
        return LocalExecutor(place.jobs)
