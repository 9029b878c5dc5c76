"""How far a run is: done, failing, how fast, how long it will take, and what took longest."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from grader.batch.finished import Finished, How
from grader.escape.terminal import line
from grader.model.verdict import Status

_EARNING = (Status.PASSED, Status.PARTIAL)


class Tally:
    """Counts what is finished.

    Args:
        total: How many there are.
        clock: Tells the time in seconds.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self.failing = 0
        self.whys: Counter[str] = Counter()
        self.slowest: tuple[float, str] = (0.0, "")
        self._hows: Counter[How] = Counter()
        self._clock = clock
        self._started = clock()

    def add(self, each: Finished) -> None:
        """Count one more."""
        self.done += 1
        self.failing += each.row.status not in _EARNING
        self._hows[each.how] += 1
        self.slowest = max(self.slowest, (each.seconds, each.row.id))
        if each.how is How.JUDGED:
            self.whys[each.why] += 1
        if each.how is How.LEFT:
            self._started = self._clock()  # what costs nothing says nothing of what the others cost

    def count(self, how: How) -> int:
        """Return for how many that had to be done."""
        return self._hows[how]

    @property
    def rate(self) -> float:
        """How many a second, of those that had to be graded."""
        return (self.done - self._hows[How.LEFT]) / max(self._clock() - self._started, 1e-9)

    def told(self) -> str:
        """Return how far it is, in a line."""
        said = [f"{self.done} of {self.total}", f"{self.failing} failing", f"{self.rate:.2g} a second"]
        if self.rate:
            said.append(f"about {(self.total - self.done) / self.rate:.0f} s left")
        seconds, name = self.slowest
        return ", ".join([*said, f"slowest {line(name)} ({seconds:.1f} s)"] if name else said)
