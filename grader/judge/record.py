"""Calls into a submission, as the judge remembers them for the diagnosis."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, Protocol

from grader.judge.budget import CallBudget
from grader.testing.student import Cause


@dataclass(frozen=True)
class Request:
    """A call as a test made it; the arguments are the judge's own."""

    function: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def copy_arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return arguments that the callee may change, one by one: an array that is given twice arrives as two."""
        return tuple(map(copy.deepcopy, self.args)), {name: copy.deepcopy(value) for name, value in self.kwargs.items()}


@dataclass(frozen=True)
class Outcome:
    """What came of a call: a value or an exception, and the arguments as they are afterwards."""

    value: Any = None
    raised: Cause | None = None
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """A request and what came of it."""

    request: Request
    outcome: Outcome


# What is returned crosses whole, but a judge that kept all of it could be made to fill the machine.
REMEMBERED_BYTES = 64 * 1024 * 1024


def size_of(call: Call) -> int:
    """Return about how many bytes a call takes: those of its arrays, and a little for everything else."""
    return _size(call.request.args, call.request.kwargs) + returned_size(call.outcome)


def returned_size(outcome: Outcome) -> int:
    """Return about how many bytes an outcome takes, the arguments as they are afterwards included."""
    return _size(outcome.value, outcome.args, outcome.kwargs)


def _size(*values: Any) -> int:  # noqa: ANN401  # any value that crosses the wire
    waiting: list[Any] = [*values]
    total = 0
    while waiting:
        value = waiting.pop()
        total += getattr(value, "nbytes", 0) + 64
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
        elif isinstance(value, str | bytes):
            total += len(value)
    return total


class Caller(Protocol):
    """Something that can be called as a submission: a worker, or the reference itself."""

    def call(self, request: Request, budget: CallBudget | None = None, /) -> Outcome:
        """Make the call.

        Args:
            request: What is called.
            budget: Counts the calls that come back meanwhile; None where they need not be counted.

        Returns:
            What it returned or raised.

        Raises:
            StudentError: It did neither: it hung, died, or could not be imported.
        """
        ...
