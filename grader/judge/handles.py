"""Handles of a submission's workers, told apart: a number means another object in each worker."""

from __future__ import annotations

from typing import Any

from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError
from grader.wire.records import PLAIN, replaced
from grader.wire.values import Handle

_NUMBERS = 2**31  # that one worker has for its objects


class Handles:
    """From the numbers of the worker that is alive to numbers of the submission's own, and back."""

    def __init__(self) -> None:
        self._worker = 0

    def start(self) -> None:
        """Begin with a fresh worker: what stood for objects of earlier ones stands for nothing any more."""
        self._worker += 1

    def received(self, value: Any) -> Any:  # noqa: ANN401  # any value from the worker
        """Return a value of the worker's as the judge keeps it."""
        return replaced(value, self._received, PLAIN)

    def sent(self, value: Any) -> Any:  # noqa: ANN401  # any value of a request
        """Return a value of the judge's as the worker knows it.

        Raises:
            StudentError: An object in it went with its process.
        """
        return replaced(value, self._sent, PLAIN)

    def alive(self, handle: Handle) -> bool:
        """Whether the object is in the worker that is alive."""
        return handle.id // _NUMBERS == self._worker

    def _received(self, value: object) -> object:
        return Handle(self._worker * _NUMBERS + value.id, value.type) if isinstance(value, Handle) else value

    def _sent(self, value: object) -> object:
        if not isinstance(value, Handle):
            return value
        if not self.alive(value):
            raise StudentError(Status.CRASHED, Cause(message=f"the {value.type} was in a process that has ended"))
        return Handle(value.id % _NUMBERS, value.type)
