"""Carrying forward: an exercise is tried once more with right answers in the place of those it needs and that were wrong.

One mistake then costs once. The right answers are values: a stand-in in the worker calls back into the judge, which asks the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.judge.caller import WorkerCaller
from grader.judge.direct import DirectCaller
from grader.judge.record import Request
from grader.model.manifest import Manifest
from grader.wire.drawn import generators_in, go_on


class Carrier:
    """Callers of one submission in which some exercises are answered by the reference.

    Args:
        own: Calls the submission as it is.
        manifest: Says which functions an exercise has.
        right: The reference's functions by name.
    """

    def __init__(self, own: WorkerCaller, manifest: Manifest, right: Mapping[str, Callable[..., Any]]) -> None:
        self.callers: list[WorkerCaller] = []
        self._open: dict[tuple[str, ...], WorkerCaller] = {}
        self._own = own
        self._manifest = manifest
        self._right = right

    def carries(self, exercise: str) -> bool:
        """Whether the reference can answer for an exercise: a class makes objects, and those cannot be lent."""
        return all(name in self._right for name in self._manifest.exercise(exercise).names)

    def without(self, exercises: tuple[str, ...]) -> WorkerCaller:
        """Return the caller in which these exercises are the reference's."""
        if exercises not in self._open:
            names = [name for each in exercises for name in self._manifest.exercise(each).names]
            self._open[exercises] = self._own.carrying({name: self._right[name] for name in names})
            self.callers.append(self._open[exercises])
        return self._open[exercises]


def answers(right: DirectCaller, manifest: Manifest) -> dict[str, Callable[..., Any]]:
    """Return the reference's functions as they are lent: called with copies, and with its own exceptions. Classes are not."""

    def lend(name: str) -> Callable[..., Any]:
        def answer(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # whatever the exercise takes and gives
            value, copies = right.value(Request(name, args, kwargs))
            go_on(generators_in(args, kwargs), generators_in(copies))
            return value

        return answer

    names = [name for exercise in manifest.exercises for name in exercise.names]
    return {name: lend(name) for name in names if not right.has_class(name)}
