"""Evidence on a toy assignment of two exercises, without a judge."""

from __future__ import annotations

from pathlib import Path

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.model.evidence import ErrorInfo, Evidence, TestEvidence
from grader.model.report import AssignmentReport
from grader.model.verdict import Status, Suite, Tier
from grader.score.assess import assess
from tests.model.toy import exercise, manifest

LOCKED = [
    LockedTest(Suite.VISIBLE, Tier.CORE, "toy.double", "visible/a"),
    LockedTest(Suite.HIDDEN, Tier.CORE, "toy.double", "hidden/a"),
    LockedTest(Suite.HIDDEN, Tier.EDGE, "toy.double", "hidden/b"),
    LockedTest(Suite.HIDDEN, Tier.EDGE, "toy.double", "hidden/c"),
    LockedTest(Suite.HIDDEN, Tier.EDGE, "toy.double", "hidden/d"),
    LockedTest(Suite.HIDDEN, Tier.CORE, "toy.treble", "hidden/e"),
]
ASSIGNMENT = Assignment(
    manifest(exercise("toy.double", points=1.1), exercise("toy.treble", "toy.double", points=5)), Path(), Path()
)


def ran(test: LockedTest, status: Status = Status.PASSED, **more: object) -> TestEvidence:
    return TestEvidence(
        id=test.id, suite=test.suite, tier=test.tier, exercise=test.exercise, status=status, seed=1, **more
    )


def evidence(statuses: dict[str, Status] | None = None, **more: object) -> Evidence:
    """Everything passed, save what `statuses` says otherwise."""
    tests = [ran(test, (statuses or {}).get(test.id, Status.PASSED)) for test in LOCKED]
    return Evidence(**({"assignment": "toy", "tests": tests} | more))


def report(found: Evidence, **more: object) -> AssignmentReport:
    return assess(ASSIGNMENT, LOCKED, found, suite_digest="d", **more)


def raised(*types: str, file: str | None = "toy.py", line: int | None = 2) -> ErrorInfo:
    return ErrorInfo(types=list(types), message="the hidden input", file=file, line=line)
