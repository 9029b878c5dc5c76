"""A slot for each thread that judges."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from itertools import count
from types import TracebackType
from typing import Self

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.judge.warm.slot import Slot
from grader.model.evidence import Evidence
from grader.sandbox.base import Level

_FORKING = (Level.FULL, Level.CONTAINER, Level.WEAK)


class Slots:
    """Warm judges where there is fork and a zygote; elsewhere each submission has a judge that is spawned for it.

    Every thread that judges has a slot of its own, made when it judges first.

    Args:
        processors: Those that slots keep to, one after the other; none, where the system is to choose.
    """

    def __init__(self, processors: Sequence[int] = ()) -> None:
        self._processors = processors
        self._made = count()
        self._own = threading.local()
        self._all: list[Slot] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all judges."""
        for slot in self._all:
            slot.close()

    def run(self, job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
        """Judge one submission to one assignment; see `grader.judge.run.run_suite`.

        Raises:
            Stopped: `stop` was set.
        """
        if sys.platform != "linux" or Level(job.backend) not in _FORKING:
            return run_suite(job, assignment, stop)
        return self._slot().run(job, assignment, stop)

    def _slot(self) -> Slot:
        slot: Slot | None = getattr(self._own, "slot", None)
        if slot is None:
            number = next(self._made)
            slot = self._own.slot = Slot(self._processors[number % len(self._processors)] if self._processors else None)
            self._all.append(slot)
        return slot


def processors_for(jobs: int) -> list[int]:
    """Return the processors that so many slots keep to: all that there are, where each has a slot.

    The processes of a slot take turns, one message after the other. On a processor of their own none waits until another one
    wakes up. Where there are fewer slots than processors the system knows better which are free.
    """
    there = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    return there if 1 < len(there) <= jobs else []
