"""Carrying forward: an exercise is tried once more with right answers in the place of those it needs and that were wrong.

One mistake then costs once. The right answers are values: a stand-in in the worker calls back into the judge, which asks the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.judge.caller import ReferenceSeconds, WorkerCaller
from grader.judge.direct import DirectCaller
from grader.judge.record import Request
from grader.model.manifest import Manifest
from grader.sandbox.base import Sandbox


class Carrier:
    """Callers of one submission in which some exercises are answered by the reference.

    Args:
        sandbox: Where workers come from.
        files: The submission.
        manifest: Says which functions an exercise has.
        right: The reference's functions by name.
        reference_seconds: See `WorkerCaller`.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        files: Mapping[str, bytes],
        manifest: Manifest,
        right: Mapping[str, Callable[..., Any]],
        reference_seconds: ReferenceSeconds,
    ) -> None:
        self.callers: list[WorkerCaller] = []
        self._open: dict[tuple[str, ...], WorkerCaller] = {}
        self._sandbox = sandbox
        self._files = files
        self._reference_seconds = reference_seconds
        self._manifest = manifest
        self._right = right

    def without(self, exercises: tuple[str, ...]) -> WorkerCaller:
        """Return the caller in which these exercises are the reference's."""
        if exercises not in self._open:
            names = [name for each in exercises for name in self._manifest.exercise(each).names]
            stand_ins = {name: self._right[name] for name in names}
            caller = WorkerCaller(self._sandbox, self._files, self._manifest, self._reference_seconds, stand_ins)
            self._open[exercises] = caller
            self.callers.append(caller)
        return self._open[exercises]


def answers(right: DirectCaller, manifest: Manifest) -> dict[str, Callable[..., Any]]:
    """Return the reference's functions as they are lent: called with copies, and with its own exceptions."""

    def lend(name: str) -> Callable[..., Any]:
        def answer(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
            return right.value(Request(name, args, kwargs))

        return answer

    return {name: lend(name) for exercise in manifest.exercises for name in exercise.names}
