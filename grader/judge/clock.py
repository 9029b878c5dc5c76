"""Two clocks for one call: processor time decides, wall time is the larger net below it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from grader.judge.alarm import looking
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
        message: Which limit. What exactly was used differs from run to run, so it has no place in it.
        unspent: Whether it was the wall clock alone that ran out: then the machine may be to blame.
        used: What was used of each clock, in seconds.
    """

    def __init__(self, message: str, *, unspent: bool, used: dict[str, float]) -> None:
        super().__init__(Status.TIMEOUT, Cause(message=message))
        self.unspent = unspent
        self.used = used


class Clock:
    """Watches one call. `tick` is called again and again while the judge waits for the answer.

    The judge's own processor time counts while a function of the judge works for the submission, as it does for the
    reference.
    """

    def __init__(self, worker: Measured, limits: Limits, reference_seconds: Callable[[], float], name: str) -> None:
        self._worker = worker
        self._limits = limits
        self._reference_seconds = reference_seconds
        self.name = name
        self._cpu = worker.cpu_seconds()
        self._wall = time.monotonic()
        self._allowed = limits.cpu_seconds
        self._asked = self._asking = False
        self._answered = 0.0
        self._answering: float | None = None

    def tick(self) -> None:
        """Raise where the call has used up either clock.

        Raises:
            OutOfTimeError: It has.
        """
        if self._asking:  # the reference is at work meanwhile, and is not to be interrupted
            return
        spent = self._worker.cpu_seconds() - self._cpu + self._answered + self._current()
        if spent > self._allowed and not self._extended():
            raise self._over(f"used more than {self._allowed:g} s of processor time", spent, unspent=False)
        patience = max(self._limits.wall_seconds, self._allowed * 2)
        if time.monotonic() - self._wall > patience:
            raise self._over(f"did not return within {patience:g} s", spent, unspent=spent < self._allowed / 2)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Watch a function of the judge that the call has called back.

        Raises:
            OutOfTimeError: The call has used up either clock, by itself or by what it called back.
        """
        self._answering = time.thread_time()
        try:
            with looking(self.tick):
                yield
        finally:
            self._answered += self._current()
            self._answering = None
        # An error that was raised within the function was told to the submission; and many short ones are never waited for.
        self.tick()

    def _current(self) -> float:
        return 0.0 if self._answering is None else time.thread_time() - self._answering

    def _over(self, message: str, spent: float, *, unspent: bool) -> OutOfTimeError:
        used = {"processor time": spent, "wall time": time.monotonic() - self._wall}
        return OutOfTimeError(f"{self.name} {message}", unspent=unspent, used=used)

    def _extended(self) -> bool:
        """Allow a multiple of the reference's own time; it is measured only when a call is slow."""
        if self._asked:
            return False
        self._asked = self._asking = True
        before = time.thread_time()
        more = self._limits.reference_multiple * self._reference_seconds()
        self._answered -= time.thread_time() - before if self._answering is not None else 0.0
        self._asking = False
        longer = more > self._allowed
        self._allowed = max(self._allowed, more)
        return longer
