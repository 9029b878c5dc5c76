"""What a run has on a node: the course, and a warm judge for each thread of Dask's that judges."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import Stopped
from grader.judge.warm.slots import Slots
from grader.model.evidence import Evidence

_PATIENCE_SECONDS = 10.0
_FORGOTTEN_SECONDS = 3600.0


class Held:
    """Judges for one run.

    Args:
        course: The folder of the course.
    """

    def __init__(self, course: Path) -> None:
        self.course = course
        self._slots = Slots()
        self._stop = threading.Event()
        self._changed = threading.Condition()
        self._busy = 0
        self._used = time.monotonic()

    def run(self, job: Job, assignment: Assignment) -> Evidence:
        """Judge a submission once.

        Raises:
            Stopped: The run has left.
        """
        with self._changed:
            if self._stop.is_set():
                raise Stopped
            self._busy += 1
        try:
            return self._slots.run(job, assignment, self._stop)
        finally:
            with self._changed:
                self._busy -= 1
                self._used = time.monotonic()
                self._changed.notify_all()

    def is_forgotten(self) -> bool:
        """Whether nobody has asked for anything for an hour: a client that is killed takes no leave."""
        with self._changed:
            return not self._busy and time.monotonic() - self._used > _FORGOTTEN_SECONDS

    def close(self) -> None:
        """End the judges, those at work too."""
        with self._changed:
            self._stop.set()
            self._changed.wait_for(lambda: not self._busy, _PATIENCE_SECONDS)
        self._slots.close()
