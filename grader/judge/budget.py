"""How many calls one test may make, there and back."""

from __future__ import annotations

import math

from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError


class CallBudget:
    """The calls of one test: those into the submission, and those that it makes back into the judge's functions.

    Args:
        allowed: How many they may be together.
    """

    def __init__(self, allowed: float = math.inf) -> None:
        self._allowed = allowed
        self._made = 0
        self._overdrawn: StudentError | None = None

    def spend(self, which: str) -> None:
        """Count one more call.

        Args:
            which: As in "to softmax" or "back from softmax".

        Raises:
            StudentError: It is one too many.
        """
        self._made += 1
        if self._made > self._allowed:
            self._overdrawn = StudentError(
                Status.TIMEOUT,
                Cause(
                    message=f"call {self._made} of this test, {which}: a test may make {self._allowed}, calls back included"
                ),
            )
        self.check()

    def check(self) -> None:
        """Raise again what `spend` raised: the submission may have caught it, in a function that it called back.

        Raises:
            StudentError: There was a call too many.
        """
        if self._overdrawn:
            raise self._overdrawn
