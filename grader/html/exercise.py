"""An exercise as its student sees it: the mistake by its name, what visible tests saw, and of hidden ones how many held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.heat.drawn import Drawn, drawn
from grader.model.evidence import Diagnosis, Explanation
from grader.model.report import StudentExercise, StudentTest
from grader.model.verdict import Status, Suite, Tier

_HEAT_MAPS, _FAILURES = 3, 4
# After these, what comes later is not run.
_ENDS = (Status.TIMEOUT, Status.BLOCKED)


@dataclass(frozen=True)
class Mistake:
    """A named misconception, in both languages."""

    en: Explanation
    zh_tw: Explanation
    questions: str


@dataclass(frozen=True)
class Held:
    """How many tests of a kind held."""

    suite: Suite
    tier: Tier
    held: int
    total: int


@dataclass(frozen=True)
class Shown:
    """An exercise as its student sees it."""

    place: int
    exercise: StudentExercise
    mistakes: Sequence[Mistake]
    heat_maps: Sequence[Drawn]
    failures: Sequence[StudentTest]
    more: int
    wrong_questions: Sequence[str]
    raised: Sequence[StudentTest]
    held: Sequence[Held]

    @property
    def has_passed(self) -> bool:
        """Whether it has all its points."""
        return self.exercise.status is Status.PASSED

    @property
    def is_to_do(self) -> bool:
        """Whether there is nothing yet that a test could have seen."""
        return self.exercise.status is Status.NOT_IMPLEMENTED

    @property
    def has_more(self) -> bool:
        """Whether there is more to tell than its status; of a file that cannot be imported its assignment tells."""
        if self.exercise.status is Status.IMPORT_ERROR:
            return False
        return not self.has_passed or bool(self.exercise.carried or self.exercise.message or self.failures)


def shown(place: int, exercise: StudentExercise) -> Shown:
    """Return an exercise as it is shown, by its place in the assignment."""
    tests = exercise.tests
    wrong = [test for test in tests if test.status is not Status.PASSED]
    failures = _failures(wrong)
    return Shown(
        place,
        exercise,
        [mistake for found in (exercise.diagnosis, *exercise.also) if found for mistake in _mistakes(found)],
        _heat_maps(wrong),
        failures[:_FAILURES],
        max(0, len(failures) - _FAILURES),
        [test.name for test in wrong if test.tier is Tier.QUESTION and test.name],
        list({(test.error, test.file, test.line): test for test in wrong if _tells_of_an_error(test)}.values()),
        _held(tests),
    )


def _failures(wrong: Sequence[StudentTest]) -> list[StudentTest]:
    """What visible tests saw, each thing once; of tests that were not run for what one before them met, that one alone."""
    found: dict[str, StudentTest] = {}
    for test in wrong:
        if test.suite is Suite.VISIBLE and test.message:
            found.setdefault(test.status if test.status in _ENDS else test.message, test)
    return list(found.values())


def _tells_of_an_error(test: StudentTest) -> bool:
    return test.suite is Suite.HIDDEN and test.error is not None


def _heat_maps(wrong: Sequence[StudentTest]) -> list[Drawn]:
    found = [drawn(heat) for test in wrong for heat in test.heat_maps]
    return [each for each in found if each.differs][:_HEAT_MAPS]


def _mistakes(diagnosis: Diagnosis) -> Iterator[Mistake]:
    for en, zh_tw in zip(diagnosis.en, diagnosis.zh_tw, strict=True):
        yield Mistake(en, zh_tw, ", ".join(diagnosis.questions))


def _held(tests: Sequence[StudentTest]) -> list[Held]:
    total = Counter((test.suite, test.tier) for test in tests)
    held = Counter((test.suite, test.tier) for test in tests if test.status is Status.PASSED)
    return [
        Held(suite, tier, held[suite, tier], total[suite, tier])
        for suite in Suite
        for tier in Tier
        if total[suite, tier]
    ]
