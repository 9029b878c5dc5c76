"""The thread that has exercises judged, one request after the other."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from grader.course.assignment import Assignment
from grader.judge.run import Stopped, run_suite
from grader.judge.standing.client import StandingJudge
from grader.kit.check import examine
from grader.kit.checked import Checked
from grader.kit.watching.events import Done
from grader.model.errors import GraderError

# What runs longer is given up when there is something newer to judge: its judge has to begin anew.
_PATIENCE = 1.0
_LOOK_EVERY_SECONDS = 0.2


@dataclass(frozen=True)
class Asked:
    """A request.

    Args:
        number: By which its answer is known.
        assignment: The assignment.
        exercises: Which exercises; all where empty.
        files: The student's files.
        settled: See `examine`.
        stays: Whether its judge stays, for the next request.
        language: The language of messages, `en` or `zh-TW`.
    """

    number: int
    assignment: Assignment
    exercises: tuple[str, ...]
    files: Mapping[str, bytes]
    settled: tuple[str, ...] = ()
    stays: bool = True
    language: str = "en"


class Judging:
    """Judges what is asked. One judge stays at a time: that of the assignment that is worked on.

    Args:
        tell: Is told what came of a request, in the thread of this.
    """

    def __init__(self, tell: Callable[[Done], None]) -> None:
        self._tell = tell
        self._inbox: queue.Queue[Asked] = queue.Queue()
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._since: float | None = None
        self._judge: StandingJudge | None = None
        self._of: str | None = None
        self._thread = threading.Thread(target=self._serve, name="judging", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._stop.set()
        self._thread.join()

    def ask(self, *asked: Asked) -> None:
        """Have these judged in order, in the place of all that was asked before and is not begun."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._inbox.get_nowait()
        for each in asked:
            self._inbox.put(each)
        self.hurry()

    def hurry(self) -> None:
        """Give up what has taken too long while something newer waits; to be called every now and then."""
        since = self._since
        if not self._inbox.empty() and since is not None and time.monotonic() - since > _PATIENCE:
            self._stop.set()

    def _serve(self) -> None:
        try:
            while not self._ended.is_set():
                with contextlib.suppress(queue.Empty):
                    self._one(self._inbox.get(timeout=_LOOK_EVERY_SECONDS))
        finally:
            if self._judge is not None:
                self._judge.close()

    def _one(self, asked: Asked) -> None:
        started = self._since = time.monotonic()
        self._stop.clear()
        try:
            found = self._examined(asked) if not self._ended.is_set() else []
            self._tell(Done(asked.number, tuple(found), time.monotonic() - started))
        except Stopped:
            pass
        except (GraderError, OSError) as error:
            self._tell(Done(asked.number, problem=str(error)))
        finally:
            self._since = None

    def _examined(self, asked: Asked) -> list[Checked]:
        run = self._standing(asked.assignment).run if asked.stays else run_suite
        return examine(
            asked.assignment,
            asked.exercises,
            asked.files,
            settled=asked.settled,
            run=run,
            stop=self._stop,
            language=asked.language,
        )

    def _standing(self, assignment: Assignment) -> StandingJudge:
        if self._judge is None or self._of != assignment.id:
            if self._judge is not None:
                self._judge.close()
            self._judge, self._of = StandingJudge(assignment), assignment.id
        return self._judge
