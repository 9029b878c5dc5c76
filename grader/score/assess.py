"""From evidence to a report on one assignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.model.evidence import Evidence, TestEvidence
from grader.model.manifest import Exercise
from grader.model.report import AssignmentReport, ExerciseReport
from grader.model.verdict import Status, most_telling
from grader.score.rubric import counting, exercise_status, points, rounded, share


def assess(
    assignment: Assignment,
    locked: Sequence[LockedTest],
    evidence: Evidence,
    *,
    suite_digest: str,
    only: Sequence[str] = (),
) -> AssignmentReport:
    """Score an assignment.

    Args:
        assignment: The assignment.
        locked: The tests that count.
        evidence: What the judge found out.
        suite_digest: What the evidence was gathered with.
        only: Report these exercises alone; all where empty.
    """
    chosen = [exercise for exercise in assignment.manifest.exercises if not only or exercise.id in only]
    exact = [_earned(exercise, locked, evidence) for exercise in chosen]
    reports = [_exercise(exercise, locked, evidence, earned) for exercise, earned in zip(chosen, exact, strict=True)]
    return AssignmentReport(
        id=assignment.id,
        title=assignment.manifest.title,
        status=overall([report.status for report in reports]),
        score=total(exact),
        points=sum(exercise.points for exercise in chosen),
        exercises=reports,
        flags=evidence.flags,
        output=evidence.output,
        isolation=evidence.isolation,
        suite_digest=suite_digest,
        problem=evidence.problem,
    )


def overall(statuses: Sequence[Status]) -> Status:
    """Return one status for several exercises: passed or partial by what was earned, else the most telling."""
    if statuses and all(status is Status.PASSED for status in statuses):
        return Status.PASSED
    if any(status.is_ours for status in statuses):
        return Status.GRADER_ERROR
    if any(status in (Status.PASSED, Status.PARTIAL) for status in statuses):
        return Status.PARTIAL
    return most_telling(statuses)


def total(exact: Sequence[Fraction | None]) -> float | None:
    """Add exact points and round once; None where any of them is our fault."""
    known = [score for score in exact if score is not None]
    return rounded(sum(known, Fraction(0))) if len(known) == len(exact) else None


def _found(exercise: str, evidence: Evidence) -> dict[str, TestEvidence]:
    """The results of an exercise's tests; a test with two results has none."""
    times = Counter(test.id for test in evidence.tests)
    return {test.id: test for test in evidence.tests if test.exercise == exercise and times[test.id] == 1}


def _earned(exercise: Exercise, locked: Sequence[LockedTest], evidence: Evidence) -> Fraction | None:
    expected = counting(locked, exercise.id)
    found = _found(exercise.id, evidence)
    if _status(expected, found, evidence).is_ours:
        return None
    return points(
        share(expected, {test_id: test.status is Status.PASSED for test_id, test in found.items()}), exercise.points
    )


def _status(expected: Sequence[LockedTest], found: Mapping[str, TestEvidence], evidence: Evidence) -> Status:
    if evidence.problem is not None:
        return Status.GRADER_ERROR
    return exercise_status(expected, {test_id: test.status for test_id, test in found.items()})


def _exercise(
    exercise: Exercise, locked: Sequence[LockedTest], evidence: Evidence, earned: Fraction | None
) -> ExerciseReport:
    found = _found(exercise.id, evidence)
    status = _status(counting(locked, exercise.id), found, evidence)
    return ExerciseReport(
        id=exercise.id,
        title=exercise.title,
        status=status,
        score=None if earned is None else rounded(earned),
        points=exercise.points,
        message=_message(status, found, evidence),
        diagnosis=next((d for d in evidence.diagnoses if d.exercise == exercise.id), None),
        tests=[found[test.id] for test in locked if test.id in found],
    )


def _message(status: Status, found: Mapping[str, TestEvidence], evidence: Evidence) -> str:
    """What to say of an exercise as a whole: the cause that its tests share, never a hidden test's own message."""
    if evidence.problem is not None:
        return evidence.problem
    if status not in _SHARED_CAUSE:
        return ""
    if status is Status.NOT_IMPLEMENTED:
        # The error's text is the id of an exercise, and nothing else of it is told: a forged line number could tell more.
        todo = dict.fromkeys(test.error.message for test in found.values() if test.status is status and test.error)
        return f"still to do: {', '.join(todo)}"
    return next((test.message for test in found.values() if test.status is status), "")


# Our own faults are for the instructor; the others lie before any hidden input, so that what is said of
# them tells nothing about a hidden test.
_SHARED_CAUSE = (Status.GRADER_ERROR, Status.IMPORT_ERROR, Status.NOT_IMPLEMENTED)
