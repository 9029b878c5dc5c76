"""Every test on every subject, over many seeds, in one collection."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from grader.judge.diagnose import Diagnostician, Recorded
from grader.judge.fingerprints import Visible
from grader.judge.imprint import request_key
from grader.judge.same import same_outcome
from grader.judge.seeds import visible_seed
from grader.judge.suite import SuiteTest
from grader.judge.trial import Trial
from grader.model.verdict import Status, Suite
from grader.verify.ground import Ground
from grader.verify.subjects import Role, Subject

# A mistake need not be run as often as a right answer: one seed that misses it is already found by a few.
_SEEDS_OF_MISTAKES = 5


@dataclass
class Row:
    """What became of one subject.

    Args:
        subject: The subject.
        statuses: By seed, then test id.
        calls: By seed, what to diagnose from; kept for mistakes only.
        messages: What hidden tests said, by test id; kept for wrong runs only.
        surprise: The first failure of a right answer: seed, test, message.
    """

    subject: Subject
    statuses: dict[int, dict[str, Status]] = field(default_factory=dict)
    calls: dict[int, list[tuple[bool, Recorded]]] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    surprise: tuple[int, str, str] | None = None


def verify_seed(number: int, test: SuiteTest) -> int:
    """Return the seed of a test in the `number`-th round; a visible test has but one."""
    if test.locked.suite is Suite.VISIBLE:
        return visible_seed(test.id)
    return int.from_bytes(hashlib.sha256(f"{number} {test.id}".encode()).digest()[:8], "big")


class Matrix:
    """A `Runner` that runs each test on all subjects.

    Args:
        ground: What the tests are run with.
        subjects: The reference first: what the visible tests ask of it is kept, to take fingerprints from.
        seeds: Rounds of inputs for every right answer.
    """

    def __init__(self, ground: Ground, subjects: list[Subject], seeds: int) -> None:
        self.rows = [Row(subject) for subject in subjects]
        self.visible: dict[str, list[Visible]] = {}
        self.blind: list[str] = []
        self._ground = ground
        self._seeds = seeds

    def wanted(self, test: SuiteTest) -> bool:
        """All tests are."""
        del test
        return True

    def run(self, test: SuiteTest) -> str | None:
        """Run the test on every subject that it concerns; note it as blind where no mistake shows in any call of it."""
        tried = []
        for row in self.rows:
            if row.subject.concerns(test.locked.exercise):
                trial = None
                for number in range(self._rounds(row.subject, test)):
                    if trial is None or test.draws:
                        bench = self._ground.bench(number).with_artifacts(row.subject.artifacts)
                        trial = bench.run(test, row.subject.caller, verify_seed(number, test))
                    self._note(row, test, number, trial)
                    if row.subject.is_wrong:
                        tried.append(trial)
        if test.locked.suite is Suite.HIDDEN and not self._shows(tried):
            self.blind.append(test.id)
        return None

    def _shows(self, tried: list[Trial]) -> bool:
        """Whether any mistake failed the test, or at least answered a call of it as the reference does not."""
        return any(trial.status is not Status.PASSED for trial in tried) or any(
            not same_outcome(call.outcome, truth, trial.tolerance)
            for trial in tried
            for call, truth in zip(trial.calls, self._ground.right.replay(trial.calls), strict=True)
        )

    def _asked_of_everybody(self, test: SuiteTest, trial: Trial) -> list[Visible]:
        """Return the calls that a test makes whoever the student is: what is drawn for one, a kit never meets again."""
        if "worksheet" not in test.wants:
            return [Visible(trial.calls, trial.tolerance)]
        another = self._ground.bench(1).run(test, self._ground.right, verify_seed(0, test))
        again = {request_key(call.request) for call in another.calls}
        return [Visible([call], trial.tolerance) for call in trial.calls if request_key(call.request) in again]

    def _rounds(self, subject: Subject, test: SuiteTest) -> int:
        if subject.is_wrong and test.locked.suite is Suite.VISIBLE:
            return 0  # a mistake is judged by the hidden tests; what a kit tells of it are fingerprints
        if subject.role is Role.TEMPLATE or test.locked.suite is Suite.VISIBLE:
            return 1
        return self._seeds if subject.role is Role.RIGHT else min(self._seeds, _SEEDS_OF_MISTAKES)

    def _note(self, row: Row, test: SuiteTest, number: int, trial: Trial) -> None:
        row.statuses.setdefault(number, {})[test.id] = trial.status
        if row is self.rows[0] and test.locked.suite is Suite.VISIBLE:
            self.visible.setdefault(test.locked.exercise, []).extend(self._asked_of_everybody(test, trial))
        if row.subject.role is Role.RIGHT:
            if trial.status is not Status.PASSED and row.surprise is None:
                row.surprise = (number, test.id, trial.message)
        elif row.subject.wrong_run is not None and test.locked.suite is Suite.HIDDEN:
            row.messages[test.id] = trial.message
        elif row.subject.misconception is not None and test.locked.suite is Suite.HIDDEN:
            failed = trial.status is not Status.PASSED
            row.calls.setdefault(number, []).extend(
                (failed, Recorded(call, trial.tolerance, test.id)) for call in trial.calls
            )


def heard(row: Row, number: int) -> list[Recorded]:
    """Return the calls that a mistake answered in one round, those of failed tests first."""
    return [recorded for _, recorded in sorted(row.calls.get(number, []), key=lambda pair: not pair[0])]


def named(diagnostician: Diagnostician, row: Row, number: int) -> list[str]:
    """Return the ids of all single misconceptions of the exercise that fit what a mistake did in one round."""
    misconception = row.subject.misconception
    assert misconception is not None  # noqa: S101  # only mistakes are diagnosed
    found = diagnostician.singles(misconception.exercise, heard(row, number))
    return [finding.misconceptions[0].id for finding in found]
