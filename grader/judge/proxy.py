"""`submission` as a test sees it: functions that look local and run elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.judge.budget import CallBudget
from grader.judge.record import (
    REMEMBERED_BYTES,
    Call,
    Caller,
    Gradient,
    Outcome,
    Request,
    handles_in,
)
from grader.model.verdict import Status
from grader.testing.objects import Object
from grader.testing.student import Cause, StudentError
from grader.testing.telling import note_returned
from grader.wire.copies import copied
from grader.wire.records import PLAIN, Record, replaced
from grader.wire.values import Handle

# What one test may be given altogether: it can hold all of it at once. Far more than suites ask for, and less than a judge may have.
_MOST_RETURNED = 2 * 1024**3


def status_of(cause: Cause, exercises: Collection[str]) -> Status:
    """Return what an exception of the student's code means."""
    if "Blocked" in cause.types:
        return Status.BLOCKED
    if "MemoryError" in cause.types:
        return Status.MEMORY
    # Only the template's own error says "still to do"; a student's own NotImplementedError is a failure.
    if "NotImplementedError" in cause.types and cause.message in exercises:
        return Status.NOT_IMPLEMENTED
    return Status.FAILED


@dataclass
class Log:
    """What became of the calls so far: those that are remembered, how many were made, and the seconds that they took."""

    calls: list[Call] = field(default_factory=list)
    made: int = 0
    seconds: float = 0.0


class Function:
    """One function of the submission, or one method of an object of it."""

    def __init__(self, name: str, submission: Submission, on: Handle | None = None) -> None:
        self.name = name
        self._submission = submission
        self._on = on
        self._outcome = Outcome()

    @property
    def arguments_after(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the last call as they were after it: a copy, for what is remembered of the call may be the same."""
        args, kwargs = copied((self._outcome.args, self._outcome.kwargs))
        return _shown(args, self._submission), _shown(kwargs, self._submission)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
        """Make the call and return its value.

        Raises:
            StudentError: The student's code raised, hung, died or could not be imported.
        """
        return self._made(args, kwargs)

    def vjp(self, *args: Any, wrt: Sequence[int | str], cotangents: Sequence[Any], **kwargs: Any) -> Any:  # noqa: ANN401  # likewise
        """Make the call, and return the list of its value and of the gradients, one for each of `wrt`.

        Args:
            args: The call's own arguments.
            wrt: Positions of arguments, or dotted names of tensors of the object whose method this is.
            cotangents: What each floating tensor of the value is multiplied by, of its shape.
            kwargs: The call's own keyword arguments.

        Raises:
            StudentError: As a call does, or the value cannot be differentiated.
        """
        return self._made(args, kwargs, Gradient(tuple(wrt), tuple(cotangents)))

    def _made(self, given: tuple[Any, ...], named: dict[str, Any], gradient: Gradient | None = None) -> Any:  # noqa: ANN401  # likewise
        # Copies, for a test may go on to change what it passed, and the diagnosis asks the same again.
        args, kwargs = copied(replaced((given, named), _handle_of, PLAIN))
        self._outcome = self._submission._make(Request(self.name, args, kwargs, self._on, gradient=gradient))
        note_returned(self._outcome.value)
        return _shown(self._outcome.value, self._submission)


def _handle_of(value: Any) -> Any:  # noqa: ANN401  # likewise
    return value.handle if isinstance(value, Object) else value


class Instance(Object):
    """An object of the submission: it can be called, its methods too, and `instance["name"]` reads an attribute."""

    def __init__(self, handle: Handle, submission: Submission) -> None:
        super().__init__(handle)
        self._submission = submission

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
        """Call the object; see `Function`."""
        return Function("__call__", self._submission, self.handle)(*args, **kwargs)

    def __getattr__(self, name: str) -> Function:
        """Return a method; whether it is there shows when it is called."""
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(name, self._submission, self.handle)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401  # whatever the attribute holds
        """Return an attribute.

        Raises:
            StudentError: There is none, or reading it raised.
        """
        outcome = self._submission._make(Request(name, on=self.handle, reads=True))
        note_returned(self)
        return _shown(outcome.value, self._submission)


def _shown(value: Any, submission: Submission) -> Any:  # noqa: ANN401  # any value that crosses the wire
    """Return a value as a test sees it: objects of the submission can be called, and a list that the test changes is its own."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(_shown(part, submission) for part in value)
    if kind is dict:
        return {name: _shown(part, submission) for name, part in value.items()}
    return Instance(value, submission) if kind is Handle else value


class Submission:
    """The student's functions by name, and a memory of the calls: of all, unless what the submission returns is far too large.

    Args:
        caller: Makes the calls.
        exercises: The ids of the assignment's exercises.
        patience: Seconds that all calls together may take.
        budget: How many they may be.
        given: The names of the classes that the assignment gives.
    """

    def __init__(
        self,
        caller: Caller,
        exercises: Collection[str],
        patience: float = math.inf,
        budget: CallBudget | None = None,
        given: Collection[str] = (),
    ) -> None:
        self._log = Log()
        self._caller = caller
        self._exercises = exercises
        self._patience = patience
        self._budget = budget or CallBudget()
        self._given = given
        self._returned = 0
        self._remembered = 0

    def __getattr__(self, name: str) -> Function | Callable[..., Record]:
        """Return a function of the submission; whether it is there shows when it is called.

        Of a class that is given, return what makes its records, from fields by name. That is done here: what a test asks
        with is then the test's own word, and whether the submission still has the class shows when a record reaches it.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._given:
            return lambda **fields: Record(name, fields)
        return Function(name, self)

    def _close(self) -> None:
        """Let go of the objects that the test was given."""
        made = [handle for call in self._log.calls for handle in handles_in(call.outcome.value)]
        if made:
            self._caller.forget(list(dict.fromkeys(made)))

    def _timed(self, request: Request) -> Outcome:
        started = time.perf_counter()
        try:
            return self._caller.call(request, self._budget)
        finally:
            self._log.seconds += time.perf_counter() - started
            # Of a call that ended badly too: one that dies just below its limit takes as long as one that returns.
            if self._log.seconds > self._patience:
                raise StudentError(
                    Status.TIMEOUT,
                    Cause(message=f"{request.function} ended, but the calls of this exercise took too long together"),
                )

    def _make(self, request: Request) -> Outcome:
        """Make a call, remember it, and raise what the student's code raised."""
        self._budget.spend(f"to {request.function}")
        self._log.made += 1
        outcome = self._timed(request)
        self._budget.check()
        call = Call(request, outcome.sharing(request))
        self._remember(call)
        if outcome.raised is not None:
            raise StudentError(status_of(outcome.raised, self._exercises), outcome.raised)
        self._refuse_floods(request.function, call.returned)
        return outcome

    def _remember(self, call: Call) -> None:
        """Keep a call for the diagnosis, in order: what came after one that was not kept is not kept either."""
        self._remembered += call.size
        if self._remembered <= REMEMBERED_BYTES:
            self._log.calls.append(call)

    def _refuse_floods(self, function: str, returned: int) -> None:
        self._returned += returned
        if self._returned > _MOST_RETURNED:
            raise StudentError(
                Status.MEMORY,
                Cause(
                    message=f"{function} came back, but what the calls of this test returned is more than {_MOST_RETURNED >> 20} MiB together"
                ),
            )


def let_go(submission: Submission) -> None:
    """Let go of the objects that a test was given, when it is over."""
    submission._close()  # noqa: SLF001  # as below


def log_of(submission: Submission) -> Log:
    """Return what became of a submission's calls; no attribute of it, for an exercise may have any name."""
    return submission._log  # noqa: SLF001  # as above
