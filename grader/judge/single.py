"""The `Runner` of a real submission: each test once, in a worker, with the rules of DESIGN section 4."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, Protocol

from grader.judge.diagnose import Recorded
from grader.judge.record import REMEMBERED_BYTES, Caller
from grader.judge.seeds import visible_seed
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench, Trial
from grader.model.evidence import Carried, ErrorInfo, Spot, TestEvidence
from grader.model.manifest import Manifest
from grader.model.verdict import Status, Suite, Tier

# An exercise's tests make many calls: if each took nearly its limit, a submission could hold its slot for hours.
_CALLS_AT_THEIR_LIMIT = 3


class Heard(NamedTuple):
    """A call, whether its test failed, how that test counts, and which it is."""

    failed: bool
    tier: Tier
    recorded: Recorded
    test: str = ""


class Carrying(Protocol):
    """Where callers come from in which some exercises are answered by the reference."""

    def carries(self, exercise: str, /) -> bool:
        """Whether the reference can answer for an exercise."""
        ...

    def without(self, exercises: tuple[str, ...]) -> Caller:
        """Return the caller in which these exercises are not the submission's own."""
        ...


class Calling(Protocol):
    """A submission, and the same with right answers in the place of some of it."""

    @property
    def own(self) -> Caller:
        """Calls the submission as it is."""
        ...

    @property
    def carrier(self) -> Carrying | None:
        """Where the other callers come from; None where there is no reference."""
        ...


class Turns:
    """What an exercise has used up, by itself and carried together, and what is not run for that.

    Args:
        bench: Runs a test.
        manifest: Says what an exercise needs, and the limits.
        impossible: See `Single`.
    """

    def __init__(self, bench: Bench, manifest: Manifest, impossible: Mapping[str, str]) -> None:
        self._bench = bench
        self._limit = manifest.limits.wall_seconds * _CALLS_AT_THEIR_LIMIT
        self.needed = cache(manifest.prerequisites)
        self._impossible = impossible
        self._timed_out: set[str] = set()
        self._spent: dict[str, float] = {}

    def run(self, test: SuiteTest, caller: Caller, seed: int, replaced: Collection[str] = ()) -> Trial:
        """Run a test, unless its limit was paid already.

        Args:
            test: The test.
            caller: Calls the submission.
            seed: The seed of its inputs.
            replaced: Exercises that are not the submission's own in this run.
        """
        exercise = test.locked.exercise
        spent = self._spent.get(exercise, 0.0)
        trial = self._not_run(exercise, replaced) or self._bench.run(test, caller, seed, self._limit - spent)
        self._spent[exercise] = spent + trial.seconds
        if trial.status is Status.TIMEOUT:
            self._timed_out.add(exercise)
        return trial

    def _not_run(self, exercise: str, replaced: Collection[str]) -> Trial | None:
        """Why a test is not run: it cannot be here, or its limit was paid already, by its exercise or by one that it needs."""
        if exercise in self._impossible:
            return Trial(Status.GRADER_ERROR, self._impossible[exercise])
        if exercise in self._timed_out:
            return Trial(Status.TIMEOUT, "not run: an earlier test of this exercise ran out of time")
        needed = [need for need in self.needed(exercise) if need not in replaced]
        if slow := _first(needed, self._timed_out):
            return Trial(Status.BLOCKED, f"not run: {slow}, which this exercise needs, ran out of time")
        return None


class Single:
    """Runs each test on one submission and keeps what it found.

    Args:
        bench: Runs a test.
        callers: Call the submission.
        manifest: The assignment.
        seeds: The seeds of the hidden tests.
        wanted: Which tests are to be run.
        impossible: The exercises whose tests cannot be run here, each with the reason.
    """

    def __init__(  # noqa: PLR0913  # the last only where there is something to refuse
        self,
        bench: Bench,
        callers: Calling,
        manifest: Manifest,
        seeds: Mapping[str, int],
        wanted: Callable[[SuiteTest], bool],
        *,
        impossible: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.evidence: dict[str, TestEvidence] = {}
        self.heard: dict[str, list[Heard]] = {}
        self._callers = callers
        self._seeds = seeds
        self._wanted = wanted
        self._turns = Turns(bench, manifest, impossible)
        self._wrong: set[str] = set()
        self._cleared: set[str] = set()
        self._bytes = 0

    def wanted(self, test: SuiteTest) -> bool:
        """Whether the test is to be run."""
        return self._wanted(test)

    def run(self, test: SuiteTest) -> str | None:
        """Run one test, carried as well where something that it needs was wrong, and note what came of it."""
        seed = self._seed(test)
        trial = self._turns.run(test, self._callers.own, seed)
        carried = _at_least(trial, self._carry(test, seed))
        found = _evidence(test, trial, seed, carried)
        self.evidence[test.id] = found
        # With what it needs in order, only the exercise's own mistakes are left to be named.
        _, told = carried or ((), trial)
        if carried and test.locked.exercise not in self._cleared:
            self._cleared.add(test.locked.exercise)
            self.heard.pop(test.locked.exercise, None)
        failed = told.status is not Status.PASSED
        for call in told.calls:
            recorded = Recorded(call, told.tolerance, test.id, passed=not failed)
            self._remember(test, Heard(failed, test.locked.tier, recorded, test.id))
        if failed and test.locked.suite is Suite.HIDDEN:
            self._wrong.add(test.locked.exercise)
        return None if trial.status is Status.PASSED else trial.message or trial.status

    def _carry(self, test: SuiteTest, seed: int) -> tuple[tuple[str, ...], Trial] | None:
        """Run a hidden test again, if something that its exercise needs was wrong in itself."""
        carrier = self._callers.carrier
        if carrier is None or test.locked.suite is not Suite.HIDDEN:
            return None
        wrong = (need for need in self._turns.needed(test.locked.exercise) if need in self._wrong)
        needs = tuple(need for need in wrong if carrier.carries(need))
        if not needs:
            return None
        return needs, self._turns.run(test, carrier.without(needs), seed, needs)

    def _remember(self, test: SuiteTest, heard: Heard) -> None:
        """Keep a call for the diagnosis, as long as what the submission returns stays of a size that a test could ask for."""
        self._bytes += heard.recorded.call.size
        if self._bytes <= REMEMBERED_BYTES:
            self.heard.setdefault(test.locked.exercise, []).append(heard)

    def _seed(self, test: SuiteTest) -> int:
        if test.locked.suite is Suite.VISIBLE:
            return visible_seed(test.id)
        return self._seeds[test.id] if test.id in self._seeds else visible_seed(test.id)


def _first(exercises: Collection[str], among: Collection[str]) -> str | None:
    return next((exercise for exercise in exercises if exercise in among), None)


def _evidence(test: SuiteTest, trial: Trial, seed: int, carried: tuple[tuple[str, ...], Trial] | None) -> TestEvidence:
    return TestEvidence(
        id=test.id,
        suite=test.locked.suite,
        tier=test.locked.tier,
        exercise=test.locked.exercise,
        status=trial.status,
        message=trial.message,
        error=_error(trial),
        seed=seed,
        calls=trial.made,
        carried=None if carried is None else _carried(*carried),
        # A student is shown them, whatever a hidden test may have been written to show.
        heat_maps=list(trial.heat_maps) if test.locked.suite is Suite.VISIBLE else [],
    )


def _at_least(trial: Trial, carried: tuple[tuple[str, ...], Trial] | None) -> tuple[tuple[str, ...], Trial] | None:
    """Return what a carried test came to: passed where it passes as it is, for a lent answer can do less, such as have no gradient."""
    if carried is None or trial.status is not Status.PASSED or carried[1].status.is_ours:
        return carried
    needs, told = carried
    return needs, replace(told, status=Status.PASSED, message="", cause=None)


def _carried(needs: Collection[str], trial: Trial) -> Carried:
    return Carried(needs=list(needs), status=trial.status, message=trial.message, error=_error(trial), calls=trial.made)


def _error(trial: Trial) -> ErrorInfo | None:
    cause = trial.cause
    if cause is None:
        return None
    way = [Spot(file=file, line=line) for file, line in cause.way]
    return ErrorInfo(types=list(cause.types), message=cause.message, file=cause.file, line=cause.line, way=way)
