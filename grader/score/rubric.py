"""From tests to points. A score starts at 0, and only a locked test that ran and passed adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.course.lock import LockedTest
from grader.model.verdict import Status, Suite, Tier, most_telling

CORE_SHARE = Fraction(4, 5)


def counting(tests: Sequence[LockedTest], exercise: str) -> list[LockedTest]:
    """Return the tests that decide an exercise: the hidden ones."""
    return [test for test in tests if test.exercise == exercise and test.suite is Suite.HIDDEN]


def share(expected: Sequence[LockedTest], passed: Mapping[str, bool]) -> Fraction:
    """Return the part of an exercise's points that was earned, between 0 and 1.

    All core tests earn 80 %, and only then each edge test its part of the rest; an exercise without
    edge tests is earned whole by its core. An exercise without core tests earns nothing: nothing would
    stand between garbage and its points. Of a worksheet, whose tests are all questions, each earns the same part.
    """
    if is_worksheet(expected):
        return Fraction(sum(passed.get(test.id, False) for test in expected), len(expected))
    core = [test for test in expected if test.tier is not Tier.EDGE]
    edge = [test for test in expected if test.tier is Tier.EDGE]
    if not core or not all(passed.get(test.id, False) for test in core):
        return Fraction(0)
    if not edge:
        return Fraction(1)
    held = sum(passed.get(test.id, False) for test in edge)
    return CORE_SHARE + (1 - CORE_SHARE) * Fraction(held, len(edge))


def is_worksheet(expected: Sequence[LockedTest]) -> bool:
    """Whether each test earns points of its own. A question among other tests does not: there it counts as core."""
    return bool(expected) and all(test.tier is Tier.QUESTION for test in expected)


def exercise_status(expected: Sequence[LockedTest], statuses: Mapping[str, Status]) -> Status:
    """Return what to say of an exercise: passed, partial where it earned a part of its points, else why it earned none."""
    found = {test: statuses.get(test.id, Status.FAILED) for test in expected}
    if any(status.is_ours for status in found.values()):
        return Status.GRADER_ERROR
    core = [status for test, status in found.items() if test.tier is not Tier.EDGE]
    wrong = [status for status in core if status is not Status.PASSED]
    if is_worksheet(expected) and len(wrong) < len(core):
        wrong = []
    if wrong or not core:
        return most_telling(wrong)
    return Status.PASSED if all(status is Status.PASSED for status in found.values()) else Status.PARTIAL


def points(earned: Fraction, worth: float) -> Fraction:
    """Return exact points; they are rounded once, when they are shown."""
    return earned * Fraction(str(worth))
