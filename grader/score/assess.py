"""From evidence to a report on one assignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.course.assignment import Assignment
from grader.course.lock import LockedTest
from grader.model.evidence import Evidence, TestEvidence
from grader.model.manifest import Exercise
from grader.model.points import rounded
from grader.model.report import AssignmentReport, ExerciseReport
from grader.model.verdict import Status, most_telling
from grader.score.rubric import counting, exercise_status, points, share


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
    seen = _seen(exercise.id, locked, evidence)
    return None if seen.status.is_ours else points(seen.share, exercise.points)


@dataclass(frozen=True)
class _Seen:
    """What an exercise came to, by itself or carried forward."""

    status: Status
    share: Fraction
    carried: tuple[str, ...] = ()


def _seen(exercise: str, locked: Sequence[LockedTest], evidence: Evidence) -> _Seen:
    """Return the better of the exercise by itself and carried forward; a fault of ours in either stands."""
    if evidence.problem is not None:
        return _Seen(Status.GRADER_ERROR, Fraction(0))
    expected, found = counting(locked, exercise), _found(exercise, evidence)
    own = _as_seen(expected, {test_id: test.status for test_id, test in found.items()})
    carried = {test_id: test.carried for test_id, test in found.items() if test.carried is not None}
    if own.status.is_ours or not carried:
        return own
    needs = tuple(dict.fromkeys(need for each in carried.values() for need in each.needs))
    forward = _as_seen(expected, {test_id: each.status for test_id, each in carried.items()}, needs)
    return forward if forward.status.is_ours or forward.share > own.share else own


def _as_seen(expected: Sequence[LockedTest], statuses: Mapping[str, Status], carried: tuple[str, ...] = ()) -> _Seen:
    passed = {test_id: status is Status.PASSED for test_id, status in statuses.items()}
    return _Seen(exercise_status(expected, statuses), share(expected, passed), carried)


def _exercise(
    exercise: Exercise, locked: Sequence[LockedTest], evidence: Evidence, earned: Fraction | None
) -> ExerciseReport:
    found = _found(exercise.id, evidence)
    seen = _seen(exercise.id, locked, evidence)
    named = [diagnosis for diagnosis in evidence.diagnoses if diagnosis.exercise == exercise.id]
    return ExerciseReport(
        id=exercise.id,
        title=exercise.title,
        status=seen.status,
        score=None if earned is None else rounded(earned),
        points=exercise.points,
        carried=list(seen.carried),
        message=_message(seen.status, found, evidence),
        diagnosis=next(iter(named), None),
        also=named[1:],
        tests=[found[test.id] for test in locked if test.id in found],
    )


def _message(status: Status, found: Mapping[str, TestEvidence], evidence: Evidence) -> str:
    """What to say of an exercise as a whole: the cause that its tests share, never a hidden test's own message."""
    if evidence.problem is not None:
        return evidence.problem
    # What lies before any hidden input tells nothing about a hidden test.
    if not status.comes_before_tests:
        return ""
    if status is Status.NOT_IMPLEMENTED:
        # The error's text is the id of an exercise, and nothing else of it is told: a forged line number could tell more.
        todo = dict.fromkeys(test.error.message for test in found.values() if test.status is status and test.error)
        return f"still to do: {', '.join(todo)}"
    return next((test.message for test in found.values() if test.status is status), "")
