"""Workers that are started before they are needed."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from grader.sandbox.base import Isolation, Profile
from grader.sandbox.none import NoneSandbox
from grader.sandbox.process import PlainWorker


class Ahead:
    """A sandbox that keeps one worker waiting: a fresh process that has imported what a submission may need.

    Args:
        sandbox: Where workers come from; it is closed with this.
    """

    def __init__(self, sandbox: NoneSandbox) -> None:
        self._sandbox = sandbox
        self._waiting: PlainWorker | None = None

    def begin(self) -> None:
        """Start a worker, if none is waiting; nobody waits until it stands."""
        if self._waiting is None:
            self._waiting = self._sandbox.begin(ahead=True)

    def lend(self, profile: Profile) -> Lent:
        """Return the sandbox of one session."""
        del profile  # it is that of the assignment, with which this was opened
        return Lent(self)

    @property
    def isolation(self) -> Isolation:
        """What was seen to hold."""
        return self._sandbox.isolation

    def fork(self) -> PlainWorker:
        """Return the worker that waits; where none does, or it died meanwhile, a new one.

        Raises:
            GraderError: It ended before it could serve.
        """
        worker, self._waiting = self._waiting, None
        if worker is None or worker.wait(0) is not None:
            worker = self._sandbox.begin()
        self._sandbox.await_standing(worker)
        return worker

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()


class Lent:
    """What one session has of it: its own workers end with it, and the one that waits for the next does not."""

    def __init__(self, ahead: Ahead) -> None:
        self._ahead = ahead
        self._workers: list[PlainWorker] = []

    @property
    def isolation(self) -> Isolation:
        """What was seen to hold."""
        return self._ahead.isolation

    def fork(self) -> PlainWorker:
        """Start a worker; see `Sandbox`.

        Raises:
            GraderError: It ended before it could serve.
        """
        self._workers.append(self._ahead.fork())
        return self._workers[-1]

    def close(self) -> None:
        """Kill the session's workers."""
        for worker in self._workers:
            worker.kill()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
