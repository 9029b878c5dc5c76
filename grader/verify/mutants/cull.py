"""Run the hidden tests on mutants, each until it is caught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.judge.record import Caller
from grader.judge.suite import SuiteTest
from grader.model.verdict import Status
from grader.verify.ground import Ground
from grader.verify.matrix import verify_seed
from grader.verify.mutants.fate import Fate
from grader.verify.mutants.mutant import Mutant


class Cull:
    """A `Runner` that notes which test catches a mutant first, on every round.

    Args:
        ground: What the tests are run with.
        fates: Of the mutants.
        callers: Call the mutants.
    """

    def __init__(self, ground: Ground, fates: Sequence[Fate], callers: Mapping[Mutant, Caller]) -> None:
        self._ground = ground
        self._fates = fates
        self._callers = callers

    def wanted(self, test: SuiteTest) -> bool:
        """All tests are."""
        del test
        return True

    def run(self, test: SuiteTest) -> str | None:
        """Run the test on every mutant that it concerns and that is not yet caught."""
        for fate in self._fates:
            if fate.concerns(test.locked.exercise):
                trial = None
                for number in sorted(set(range(fate.rounds)) - fate.caught.keys()):
                    if trial is None or test.draws:
                        caller = self._callers[fate.mutant]
                        trial = self._ground.bench(number).run(test, caller, verify_seed(number, test))
                    if trial.status is not Status.PASSED:
                        fate.caught[number] = test.id
        return None
