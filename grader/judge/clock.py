"""Two clocks for one call: processor time decides, wall time is the larger net below it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from grader.model.manifest import Limits
from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError


class Measured(Protocol):
    """A worker, as far as its time goes."""

    def cpu_seconds(self) -> float:
        """Processor time it has used, measured from outside."""
        ...


class OutOfTimeError(StudentError):
    """A call ran past its limit.

    Args:
        message: Which limit, and what was used.
        unspent: Whether it was the wall clock alone that ran out: then the machine may be to blame.
    """

    def __init__(self, message: str, *, unspent: bool) -> None:
        super().__init__(Status.TIMEOUT, Cause(message=message))
        self.unspent = unspent


class Clock:
    """Watches one call. `tick` is called again and again while the judge waits for the answer."""

    def __init__(self, worker: Measured, limits: Limits, reference_seconds: Callable[[], float], name: str) -> None:
        self._worker = worker
        self._limits = limits
        self._reference_seconds = reference_seconds
        self._name = name
        self._cpu = worker.cpu_seconds()
        self._wall = time.monotonic()
        self._allowed = limits.cpu_seconds
        self._asked = False

    def tick(self) -> None:
        """Raise where the call has used up either clock.

        Raises:
            OutOfTimeError: It has.
        """
        spent = self._worker.cpu_seconds() - self._cpu
        if spent > self._allowed and not self._extended():
            raise OutOfTimeError(f"{self._name} used more than {self._allowed:g} s of processor time", unspent=False)
        patience = max(self._limits.wall_seconds, self._allowed * 2)
        if time.monotonic() - self._wall > patience:
            raise OutOfTimeError(
                f"{self._name} did not return within {patience:g} s", unspent=spent < self._allowed / 2
            )

    def _extended(self) -> bool:
        """Allow a multiple of the reference's own time; it is measured only when a call is slow."""
        if self._asked:
            return False
        self._asked = True
        more = self._limits.reference_multiple * self._reference_seconds()
        longer = more > self._allowed
        self._allowed = max(self._allowed, more)
        return longer
