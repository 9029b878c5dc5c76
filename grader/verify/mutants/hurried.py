"""A caller for code that may never come back."""

from __future__ import annotations

import time
from collections.abc import Sequence

from grader.judge.alarm import looking
from grader.judge.budget import CallBudget
from grader.judge.record import Caller, Outcome, Request
from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError
from grader.wire.values import Handle


class _LateError(BaseException):
    """Not an `Exception`: the code that is stopped might catch one."""


class Hurried:
    """Gives every call a limit of processor time.

    Args:
        caller: Makes the calls, in this thread.
        seconds: What each may take.
    """

    def __init__(self, caller: Caller, seconds: float) -> None:
        self._caller = caller
        self._seconds = seconds

    def call(self, request: Request, budget: CallBudget | None = None, /) -> Outcome:
        """Make the call.

        Raises:
            StudentError: It took too long.
        """
        started = time.process_time()

        def look() -> None:
            if time.process_time() - started > self._seconds:
                raise _LateError

        try:
            with looking(look):
                return self._caller.call(request, budget)
        except _LateError:
            late = Cause(message=f"{request.function} used more than {self._seconds:g} s of processor time")
            raise StudentError(Status.TIMEOUT, late) from None

    def forget(self, handles: Sequence[Handle], /) -> None:
        """See `Caller`."""
        self._caller.forget(handles)
