"""What every assignment must have for its students, beyond what `grader verify` proves of its suites."""

from __future__ import annotations

from collections.abc import Iterator

from grader.course.assignment import Assignment
from grader.course.locate import assignment_ids
from grader.course.lock import LockedTest
from grader.judge.catalogue import load_catalogue
from grader.kit.handout import FILES, HINTS, Section, minutes_told, points_told, sections
from grader.model.errors import CourseError
from grader.model.manifest import Exercise
from grader.model.verdict import Suite


def lint(assignment: Assignment) -> list[str]:
    """Return what an assignment lacks, a line each; none where it has all.

    Raises:
        CourseError: The catalogue or the lock cannot be read.
    """
    tests = assignment.lock()
    catalogue = load_catalogue(assignment.misconceptions, assignment.manifest)
    mistaken = {each.exercise for each in catalogue.misconceptions} | {each.exercise for each in catalogue.wrong_runs}
    known = assignment_ids(assignment.course)
    found = [f"comes after {name!r}, which is no assignment" for name in assignment.manifest.after if name not in known]
    found += [problem for each in assignment.manifest.exercises for problem in _exercise(each, tests, mistaken)]
    return found + [problem for language in FILES for problem in _handout(assignment, language)]


def _exercise(exercise: Exercise, tests: list[LockedTest], mistaken: set[str]) -> Iterator[str]:
    suites = {test.suite for test in tests if test.exercise == exercise.id}
    for suite in Suite:
        if suite not in suites:
            yield f"{exercise.id} has no {suite} test"
    if exercise.id not in mistaken:
        yield f"{exercise.id} has no misconception"


def _handout(assignment: Assignment, language: str) -> Iterator[str]:
    path = assignment.folder / FILES[language]
    try:
        text = path.read_text("utf-8")
    except OSError:
        yield f"{FILES[language]} is missing"
        return
    except UnicodeDecodeError as error:
        raise CourseError(f"byte {error.start} is not UTF-8", where=path, hint="save the file as UTF-8") from error
    exercises, found = assignment.manifest.exercises, sections(text, language)
    if len(found) != len(exercises):
        yield f"{FILES[language]} has {len(found)} exercises (headings `### 1. ...`), and the manifest {len(exercises)}"
        return
    for exercise, section in zip(exercises, found, strict=True):
        yield from (f"{FILES[language]}: {exercise.id} {said}" for said in _section(exercise, section, language))


def _section(exercise: Exercise, section: Section, language: str) -> Iterator[str]:
    points = points_told(section)
    if points != exercise.points:
        told = "no" if points is None else f"{points:g}"
        yield f"tells {told} points, and is worth {exercise.points:g}"
    if minutes_told(section) is None:
        yield "tells no minutes"
    if not exercise.is_worksheet and tuple(label for label, _ in section.hints) != HINTS[language]:
        yield f"lacks the three hints {', '.join(HINTS[language])}"
