"""A class of thousands, without its thousands of reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.graded.read import Graded, GradedClass
from grader.html.overview import class_page
from grader.html.tally import Tally
from grader.model.evidence import Diagnosis
from grader.model.report import Report, Summary
from grader.model.verdict import Status
from tests.graded import made

_EXERCISES = [f"toy.exercise_{n}" for n in range(9)]
_STATUSES = [Status.PASSED, Status.PASSED, Status.PASSED, Status.FAILED, Status.NOT_IMPLEMENTED, Status.TIMEOUT]
_KINDS, _MISTAKES = 60, 7


def graded(students: int) -> Iterator[Graded]:
    """A few kinds of submissions, over and over, under names of their own."""
    kinds = [(report, made.row(report)) for report in map(_kind, range(_KINDS))]
    for n in range(students):
        report, row = kinds[n % _KINDS]
        yield Graded(row.model_copy(update={"id": f"student-{n:04d}-林"}), report, None)


def holds(each: Graded, mistake: int) -> bool:
    """Whether a submission has a mistake, by its number."""
    found = [exercise.diagnosis for part in each.report.assignments for exercise in part.exercises]
    return any(f"mistake-{mistake}" in name for diagnosis in found if diagnosis for name in diagnosis.misconceptions)


def page(students: int) -> str:
    tally = Tally()
    for each in graded(students):
        tally.add(each)
    facts = {"grader_version": "0", "assignments": ["toy"], "points": 90.0, "graded": students, "grader_errors": 0}
    summary = Summary.model_validate({**facts, "mean": 50.0, "submissions": [], "timings": {}})
    return class_page(GradedClass(Path(), summary, None), tally, language="en")


def _kind(n: int) -> Report:
    exercises = []
    for i, name in enumerate(_EXERCISES):
        status = _STATUSES[(n * 7 + i * 3) % len(_STATUSES)]
        diagnosis = _diagnosis(name, (n + i) % _MISTAKES) if status is Status.FAILED else None
        score = 10.0 if status is Status.PASSED else 0.0
        exercises.append(made.exercise(name, score=score, status=status, diagnosis=diagnosis))
    return made.report(f"kind-{n}", *exercises, timings={"total": 0.5 + n / 10, "visible/test_toy.py::test_a": 0.2})


def _diagnosis(exercise: str, mistake: int) -> Diagnosis:
    found = made.explained(exercise, f"toy/mistake-{mistake}")
    named = [words.model_copy(update={"name": f"{words.name} {mistake}"}) for words in (*found.en, *found.zh_tw)]
    return found.model_copy(update={"en": named[:1], "zh_tw": named[1:]})
