"""Calls into a submission, as the judge remembers them for the diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from grader.judge.budget import CallBudget
from grader.testing.student import Cause
from grader.wire.copies import copied, unchanged
from grader.wire.records import Record, fields_of, replaced
from grader.wire.values import Handle


@dataclass(frozen=True)
class Gradient:
    """What a gradient is asked for: `wrt` and `cotangents` are those of `wire.gradients.vjp`."""

    wrt: tuple[int | str, ...]
    cotangents: tuple[Any, ...]


@dataclass(frozen=True)
class Request:
    """A call as a test made it; the arguments are the judge's own.

    Args:
        function: The name of a function or class of the submission; with `on`, of a method or attribute.
        args: Positional arguments. In the place of an object of the submission stands its handle.
        kwargs: Keyword arguments.
        on: The object whose method or attribute is meant.
        reads: Whether an attribute is read and nothing called.
        gradient: What is asked for beside the value.
    """

    function: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    on: Handle | None = None
    reads: bool = False
    gradient: Gradient | None = None

    def copy_arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return arguments that the callee may change, one by one: an array that is given twice arrives as two."""
        return copied(self.args), copied(self.kwargs)


@dataclass(frozen=True)
class Outcome:
    """What came of a call: a value or an exception, and the arguments as they are afterwards."""

    value: Any = None
    raised: Cause | None = None
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def sharing(self, request: Request) -> Outcome:
        """Return the same outcome; an argument that the call left as it was is the request's own, and takes no room of its own."""
        args, kwargs = self.args, self.kwargs
        if args is request.args and kwargs is request.kwargs:
            return self
        if len(args) == len(request.args):
            args = tuple(map(_shared, request.args, args))
        if kwargs.keys() == request.kwargs.keys():
            kwargs = {name: _shared(request.kwargs[name], after) for name, after in kwargs.items()}
        return Outcome(self.value, self.raised, args, kwargs)


def _shared(before: Any, after: Any) -> Any:  # noqa: ANN401  # any value that crosses the wire
    return before if unchanged(before, after) else after


@dataclass(frozen=True)
class Call:
    """A request and what came of it.

    Attributes:
        returned: About how many bytes came back; see `returned_size`.
        size: About how many bytes all of it takes: those of its arrays, and a little for everything else.
    """

    request: Request
    outcome: Outcome
    returned: int = field(init=False, compare=False, repr=False)
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        returned = returned_size(self.outcome, self.request)
        object.__setattr__(self, "returned", returned)
        object.__setattr__(self, "size", _size(self.request.args, self.request.kwargs) + returned)


# What is returned crosses whole, but a judge that kept all of it could be made to fill the machine.
REMEMBERED_BYTES = 64 * 1024 * 1024


def returned_size(outcome: Outcome, request: Request | None = None) -> int:
    """Return about how many bytes an outcome takes, the arguments as they are afterwards included, unless they are the request's own."""
    value, args, kwargs = outcome.value, outcome.args, outcome.kwargs
    if request and args is request.args and kwargs is request.kwargs:
        return _size(value)
    return _size(value, args, kwargs)


def _size(*values: Any) -> int:  # noqa: ANN401  # any value that crosses the wire
    waiting: list[Any] = [*values]
    total = 0
    while waiting:
        value = waiting.pop()
        kind = type(value)
        total += 64
        if kind is dict:
            waiting += value.values()
        elif kind is list or kind is tuple:
            waiting += value
        elif kind is str or kind is bytes:
            total += len(value)
        elif kind is Record:
            waiting += fields_of(value).values()
        else:
            total += getattr(value, "nbytes", 0)
    return total


def handles_in(value: Any) -> list[Handle]:  # noqa: ANN401  # likewise
    """Return the handles in a value, in order."""
    found: list[Handle] = []
    replaced(value, lambda part: found.append(part) if isinstance(part, Handle) else part)
    return found


def concerns_objects(call: Call) -> bool:
    """Whether an object of the submission was asked for, passed or returned."""
    request = call.request
    return bool(request.on or handles_in([request.args, request.kwargs, call.outcome.value]))


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

    def forget(self, handles: Sequence[Handle], /) -> None:
        """Let go of objects that no test will ask for again."""
        ...
