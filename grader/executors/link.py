"""What is asked of a cluster, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class Worker(NamedTuple):
    """A worker, as the scheduler knows it.

    Args:
        address: Where it is reached.
        home: Its folder for files, which is another each time it is started.
        threads: How many tasks it does at once.
        memory: The bytes at which it is ended; 0 where there is no limit.
        paused: Whether it begins nothing new, for want of memory or because it is closing.
    """

    address: str
    home: str
    threads: int
    memory: int = 0
    paused: bool = False


class LinkError(Exception):
    """The scheduler is gone."""


class CallError(Exception):
    """A worker did not answer, or could not."""


class LostError(Exception):
    """A task came to nothing; the message says why."""


class Task(Protocol):
    """Something that a worker is to do."""

    def wait(self, seconds: float) -> bool:
        """Return whether it is over, after some seconds at most."""
        ...

    def result(self) -> str:
        """Return what came of it, when it is over.

        Raises:
            LostError: Nothing came of it.
        """
        ...

    def cancel(self) -> None:
        """Ask for it no more."""
        ...


class Link(Protocol):
    """A connection to a cluster; its methods may be called by several threads."""

    def workers(self) -> list[Worker]:
        """Return the workers that there are.

        Raises:
            LinkError: The scheduler is gone.
        """
        ...

    def call(self, address: str, function: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401  # whatever the function returns
        """Call a function on one worker, beside its tasks.

        Raises:
            CallError: It did not answer, or could not.
        """
        ...

    def tell(self, addresses: Sequence[str], function: Callable[..., Any], *args: object) -> None:
        """Call a function on several workers at once, and wait until those that can have done it."""
        ...

    def submit(self, address: str, function: Callable[..., str], *args: object) -> Task:
        """Have one worker do something, and no other.

        Raises:
            LostError: The cluster takes nothing.
        """
        ...

    def close(self) -> None:
        """Leave the cluster."""
        ...
