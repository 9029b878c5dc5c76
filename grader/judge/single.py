"""The `Runner` of a real submission: each test once, in a worker, with the rules of DESIGN section 4."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from grader.judge.diagnose import Recorded
from grader.judge.record import Caller, size_of
from grader.judge.seeds import visible_seed
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench, Trial
from grader.model.evidence import ErrorInfo, TestEvidence
from grader.model.manifest import Manifest
from grader.model.verdict import Status, Suite, Tier

# What is returned crosses whole, but a judge that kept all of it could be made to fill the machine.
_REMEMBERED_BYTES = 64 * 1024 * 1024

# An exercise's tests make many calls: if each took nearly its limit, a submission could hold its slot for hours.
_CALLS_AT_THEIR_LIMIT = 3


class Heard(NamedTuple):
    """A call, whether its test failed, and how that test counts."""

    failed: bool
    tier: Tier
    recorded: Recorded


class Single:
    """Runs each test on one submission and keeps what it found."""

    def __init__(
        self,
        bench: Bench,
        caller: Caller,
        manifest: Manifest,
        seeds: Mapping[str, int],
        wanted: Callable[[SuiteTest], bool],
    ) -> None:
        self.evidence: dict[str, TestEvidence] = {}
        self.heard: dict[str, list[Heard]] = {}
        self._bench = bench
        self._caller = caller
        self._manifest = manifest
        self._seeds = seeds
        self._wanted = wanted
        self._timed_out: set[str] = set()
        self._spent: dict[str, float] = {}
        self._bytes = 0

    def wanted(self, test: SuiteTest) -> bool:
        """Whether the test is to be run."""
        return self._wanted(test)

    def run(self, test: SuiteTest) -> str | None:
        """Run one test and note what came of it."""
        seed = self._seed(test)
        exercise = test.locked.exercise
        left = self._manifest.limits.wall_seconds * _CALLS_AT_THEIR_LIMIT - self._spent.get(exercise, 0.0)
        trial = self._not_run(exercise) or self._bench.run(test, self._caller, seed, left)
        self._spent[exercise] = self._spent.get(exercise, 0.0) + trial.seconds
        if trial.status is Status.TIMEOUT:
            self._timed_out.add(exercise)
        failed = trial.status is not Status.PASSED
        for call in trial.calls:
            self._remember(test, Heard(failed, test.locked.tier, Recorded(call, trial.tolerance)))
        self.evidence[test.id] = _evidence(test, trial, seed)
        return trial.message or trial.status if failed else None

    def _remember(self, test: SuiteTest, heard: Heard) -> None:
        """Keep a call for the diagnosis, as long as what the submission returns stays of a size that a test could ask for."""
        self._bytes += size_of(heard.recorded.call.outcome)
        if self._bytes <= _REMEMBERED_BYTES:
            self.heard.setdefault(test.locked.exercise, []).append(heard)

    def _seed(self, test: SuiteTest) -> int:
        if test.locked.suite is Suite.VISIBLE:
            return visible_seed(test.id)
        return self._seeds.get(test.id, visible_seed(test.id))

    def _not_run(self, exercise: str) -> Trial | None:
        """Why a test is not run: its limit was paid already, by its exercise or by one that it needs."""
        if exercise in self._timed_out:
            return Trial(Status.TIMEOUT, "not run: an earlier test of this exercise ran out of time")
        if slow := _first(self._manifest.prerequisites(exercise), self._timed_out):
            return Trial(Status.BLOCKED, f"not run: {slow}, which this exercise needs, ran out of time")
        return None


def _first(exercises: Collection[str], among: Collection[str]) -> str | None:
    return next((exercise for exercise in exercises if exercise in among), None)


def _evidence(test: SuiteTest, trial: Trial, seed: int) -> TestEvidence:
    cause = trial.cause
    return TestEvidence(
        id=test.id,
        suite=test.locked.suite,
        tier=test.locked.tier,
        exercise=test.locked.exercise,
        status=trial.status,
        message=trial.message,
        error=ErrorInfo(types=list(cause.types), message=cause.message, file=cause.file, line=cause.line)
        if cause
        else None,
        seed=seed,
        calls=trial.made,
    )
