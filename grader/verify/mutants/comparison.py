"""Show that a mutant does the same as the reference, on many calls."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from grader.course.lock import LockedTest
from grader.judge.record import Caller, Outcome, Request, concerns_objects
from grader.judge.same import same_outcome
from grader.judge.suite import SuiteTest
from grader.testing.student import StudentError
from grader.testing.tolerance import Tolerance
from grader.verify.ground import Ground
from grader.verify.matrix import verify_seed
from grader.verify.mutants.fate import Fate
from grader.verify.mutants.mutant import Mutant
from grader.verify.mutants.shaken import misfit, shaken

# Of each kind: calls that the hidden tests make, the same with other numbers, and the same with what does not fit.
CALLS = 1000


class Comparison:
    """A `Runner` that makes the calls of the hidden tests on the reference and on mutants declared equivalent.

    Args:
        ground: What the tests are run with.
        fates: Of the mutants declared equivalent.
        callers: Call the mutants.
        tests: The hidden tests; each is run on so many seeds that a mutant meets `CALLS` calls of them, but once where it
            draws nothing and others of its exercise do.
    """

    def __init__(
        self,
        ground: Ground,
        fates: Sequence[Fate],
        callers: Mapping[Mutant, Caller],
        tests: Sequence[LockedTest],
    ) -> None:
        self._ground = ground
        self._fates = fates
        self._callers = callers
        self._drawing: set[str] = set()
        self._rounds = {
            fate.mutant: math.ceil(CALLS / max(1, sum(fate.concerns(test.exercise) for test in tests)))
            for fate in fates
        }

    def wanted(self, test: SuiteTest) -> bool:
        """Whether a test says something about any of the mutants."""
        if test.draws:
            self._drawing.add(test.locked.exercise)
        return any(fate.concerns(test.locked.exercise) for fate in self._fates)

    def run(self, test: SuiteTest) -> str | None:
        """Make the calls of the test, on many seeds."""
        concerned = [fate for fate in self._fates if fate.concerns(test.locked.exercise)]
        # What is drawn has more to show on every seed; the rest may take long, and is the same but for what is shaken.
        once = not test.draws and test.locked.exercise in self._drawing
        for number in range(1 if once else max(self._rounds[fate.mutant] for fate in concerned)):
            seed = verify_seed(number, test)
            trial = self._ground.bench(number).run(test, self._ground.right, seed)
            rng = np.random.default_rng(seed)
            # An object of the reference is none of the mutant's: calls that concern one show nothing, and are not counted.
            for call in (call for call in trial.calls if not concerns_objects(call)):
                others = [shaken(call.request, rng), misfit(call.request, rng)]
                met = [(call.request, call.outcome), *((other, self._ground.right.call(other)) for other in others)]
                for request, truth in met:
                    self._compare(
                        [fate for fate in concerned if number < self._rounds[fate.mutant]],
                        request,
                        truth,
                        trial.tolerance,
                        test,
                    )
        return None

    def _compare(
        self, fates: Sequence[Fate], request: Request, truth: Outcome, tolerance: Tolerance, test: SuiteTest
    ) -> None:
        for fate in fates:
            fate.compared += 1
            if fate.unequal is None and not self._same(fate, request, truth, tolerance):
                fate.unequal = f"call {fate.compared}, {request.function} as {test.id} calls it"

    def _same(self, fate: Fate, request: Request, truth: Outcome, tolerance: Tolerance) -> bool:
        try:
            return same_outcome(self._callers[fate.mutant].call(request), truth, tolerance)
        except StudentError:
            return False
