"""A cluster without processes: what its workers answer is the test's to say."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from grader import __version__
from grader.executors import node
from grader.executors.link import LinkError, LostError, Worker
from grader.executors.words import Fit, Seen
from grader.pipeline.engine import code_digest

A, B = Worker("tcp://127.0.0.1:1", "/a", threads=1, memory=2**30), Worker("tcp://127.0.0.1:2", "/b", threads=2)


class FakeTask:
    """A task that is over when the test says so."""

    def __init__(self, address: str, asked: str) -> None:
        self.address, self.asked = address, asked
        self.cancelled = False
        self._over = threading.Event()
        self._said: str | LostError = ""

    def end(self, said: str | LostError) -> None:
        self._said = said
        self._over.set()

    @property
    def is_done(self) -> bool:
        return self.cancelled or self._over.is_set()

    def wait(self, seconds: float) -> bool:
        return self._over.wait(seconds)

    def result(self) -> str:
        if isinstance(self._said, LostError):
            raise self._said
        return self._said

    def cancel(self) -> None:
        self.cancelled = True


class FakeLink:
    """Workers that are what they are asked to be, unless told otherwise."""

    def __init__(self, *workers: Worker) -> None:
        self.there = list(workers)
        self.gone = False
        self.closed = False
        self.calls: list[tuple[str, str, tuple[Any, ...]]] = []
        self.tasks: list[FakeTask] = []
        self.on_submit: Callable[[FakeTask], object] = lambda _: None
        self.seen = Seen(grader=__version__, code=code_digest(), holds=False)
        self.fit = Fit()
        self.fit_said = ""
        self.fault: Exception | None = None

    def workers(self) -> list[Worker]:
        if self.gone:
            raise LinkError("the scheduler was killed")
        return self.there

    def call(self, address: str, function: Callable[..., Any], *args: object) -> Any:
        self.calls.append((address, function.__name__, args))
        if self.fault:
            raise self.fault
        return {node.look: self.seen.model_dump_json(), node.take: self.fit_said or self.fit.model_dump_json()}.get(
            function
        )

    def tell(self, addresses: list[str], function: Callable[..., Any], *args: object) -> None:
        self.calls += [(address, function.__name__, args) for address in addresses]

    def submit(self, address: str, function: Callable[..., str], *args: object) -> FakeTask:
        assert function is node.judge
        task = FakeTask(address, str(args[1]))
        self.tasks.append(task)
        self.on_submit(task)
        return task

    def close(self) -> None:
        self.closed = True


def dask_worker(folder: object) -> SimpleNamespace:
    """What Dask hands to a function that asks for its worker."""
    return SimpleNamespace(local_directory=str(folder))
