"""`submission` as a test sees it: functions that look local and run elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Any

from grader.judge.budget import CallBudget
from grader.judge.record import REMEMBERED_BYTES, Call, Caller, Outcome, Request, returned_size, size_of
from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError

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


class Function:
    """One function of the submission."""

    def __init__(self, name: str, submission: Submission) -> None:
        self.name = name
        self.arguments_after: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})
        self._submission = submission

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
        """Make the call and return its value.

        Raises:
            StudentError: The student's code raised, hung, died or could not be imported.
        """
        # Copies, for a test may go on to change what it passed, and the diagnosis asks the same again.
        args, kwargs = Request(self.name, args, kwargs).copy_arguments()
        outcome = self._submission.make(Request(self.name, args, kwargs))
        self.arguments_after = (outcome.args, outcome.kwargs)
        return outcome.value


class Submission:
    """The student's functions by name, and a memory of the calls: of all, unless what the submission returns is far too large.

    Args:
        caller: Makes the calls.
        exercises: The ids of the assignment's exercises.
        patience: Seconds that all calls together may take.
        budget: How many they may be.
    """

    def __init__(
        self,
        caller: Caller,
        exercises: Collection[str],
        patience: float = math.inf,
        budget: CallBudget | None = None,
    ) -> None:
        self.calls: list[Call] = []
        self.made = 0
        self.seconds = 0.0
        self._caller = caller
        self._exercises = exercises
        self._patience = patience
        self._budget = budget or CallBudget()
        self._returned = 0
        self._remembered = 0

    def __getattr__(self, name: str) -> Function:
        """Return a function of the submission; whether it is there shows when it is called."""
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(name, self)

    def _timed(self, request: Request) -> Outcome:
        started = time.perf_counter()
        try:
            return self._caller.call(request, self._budget)
        finally:
            self.seconds += time.perf_counter() - started
            # Of a call that ended badly too: one that dies just below its limit takes as long as one that returns.
            if self.seconds > self._patience:
                raise StudentError(
                    Status.TIMEOUT,
                    Cause(message=f"{request.function} ended, but the calls of this exercise took too long together"),
                )

    def make(self, request: Request) -> Outcome:
        """Make a call, remember it, and raise what the student's code raised."""
        self._budget.spend(f"to {request.function}")
        self.made += 1
        outcome = self._timed(request)
        self._budget.check()
        self._remember(Call(request, outcome))
        if outcome.raised is not None:
            raise StudentError(status_of(outcome.raised, self._exercises), outcome.raised)
        self._refuse_floods(request.function, outcome)
        return outcome

    def _remember(self, call: Call) -> None:
        """Keep a call for the diagnosis, in order: what came after one that was not kept is not kept either."""
        self._remembered += size_of(call)
        if self._remembered <= REMEMBERED_BYTES:
            self.calls.append(call)

    def _refuse_floods(self, function: str, outcome: Outcome) -> None:
        self._returned += returned_size(outcome)
        if self._returned > _MOST_RETURNED:
            raise StudentError(
                Status.MEMORY,
                Cause(
                    message=f"{function} came back, but what the calls of this test returned is more than {_MOST_RETURNED >> 20} MiB together"
                ),
            )
