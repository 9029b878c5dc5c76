"""The student's report: an allow-list over the instructor's."""

from __future__ import annotations

import base64
import builtins
from collections.abc import Mapping

from grader.model.evidence import TestEvidence
from grader.model.report import (
    AssignmentReport,
    ExerciseReport,
    Report,
    StudentAssignment,
    StudentExercise,
    StudentReport,
    StudentTest,
)
from grader.model.verdict import Suite, Tier, question_name

# A class that a submission makes may carry a hidden input in its name; these cannot.
_PUBLIC_CLASSES = {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
} | {"AxisError", "LinAlgError"}


def for_student(report: Report) -> StudentReport:
    """Return what the student may see of a report."""
    return StudentReport(
        grader_version=report.grader_version,
        submission=report.submission.id,
        digest=report.submission.digest,
        problems=report.submission.problems,
        status=report.status,
        score=report.score,
        points=report.points,
        assignments=[_assignment(assignment, _lengths(report)) for assignment in report.assignments],
    )


def _lengths(report: Report) -> dict[str, int]:
    """How many lines each file has, with the one that a syntax error at its end is said to be in."""
    return {file.name: len(base64.b64decode(file.content).splitlines()) + 1 for file in report.submission.files}


def _assignment(report: AssignmentReport, lengths: Mapping[str, int]) -> StudentAssignment:
    return StudentAssignment(
        id=report.id,
        title=report.title,
        status=report.status,
        score=report.score,
        points=report.points,
        exercises=[_exercise(exercise, lengths) for exercise in report.exercises],
    )


def _exercise(report: ExerciseReport, lengths: Mapping[str, int]) -> StudentExercise:
    return StudentExercise(
        id=report.id,
        title=report.title,
        status=report.status,
        score=report.score,
        points=report.points,
        carried=report.carried,
        # What went wrong on our side may name our paths: the instructor reads it, the student waits.
        message="The grader failed here; this is not your fault, and your instructor has been told."
        if report.status.is_ours
        else report.message,
        diagnosis=report.diagnosis,
        also=report.also,
        tests=[_test(test, lengths) for test in report.tests],
    )


def _test(test: TestEvidence, lengths: Mapping[str, int]) -> StudentTest:
    error = test.error
    # The worker tells the place: one that is not in the student's own files may say something else.
    own = error is not None and 0 < (error.line or 0) <= lengths.get(error.file or "", 0)
    seen = StudentTest(
        suite=test.suite,
        tier=test.tier,
        status=test.status,
        name=question_name(test.id) if test.tier is Tier.QUESTION else None,
        error=next((name for name in error.types if name in _PUBLIC_CLASSES), None) if error else None,
        file=error.file if error and own else None,
        line=error.line if error and own else None,
    )
    if test.suite is Suite.VISIBLE:
        return seen.model_copy(update={"name": test.id, "message": test.message, "heat_maps": test.heat_maps})
    return seen
