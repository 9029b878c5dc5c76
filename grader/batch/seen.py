"""What an instructor wants to know first of a submission, in one line."""

from __future__ import annotations

from grader.model.report import ExerciseReport, Report
from grader.model.verdict import Status

_TOLD = 4


def seen(report: Report) -> str:
    """Return faults of ours, named mistakes, or what the exercises say."""
    exercises = [exercise for assignment in report.assignments for exercise in assignment.exercises]
    named = dict.fromkeys(
        name
        for exercise in exercises
        if exercise.diagnosis
        for diagnosis in (exercise.diagnosis, *exercise.also)
        for name in diagnosis.misconceptions
    )
    told = (Status.GRADER_ERROR, Status.IMPORT_ERROR)
    messages = dict.fromkeys(exercise.message for exercise in exercises if exercise.status in told and exercise.message)
    unnamed = [_unnamed(exercise) for exercise in exercises if exercise.status is not Status.PASSED]
    said = list(named or messages or unnamed)
    more = [f"and {len(said) - _TOLD} more"] if len(said) > _TOLD else []
    return "; ".join([*said[:_TOLD], *more])


def _unnamed(exercise: ExerciseReport) -> str:
    """An exercise whose mistake has no name: its status and, of a failed one, the first thing that a test saw."""
    told = (Status.FAILED, Status.PARTIAL)
    first = next((test.message for test in exercise.tests if test.status is Status.FAILED), "")
    return f"{exercise.id}: {exercise.status}" + (f" ({first:.80})" if first and exercise.status in told else "")
