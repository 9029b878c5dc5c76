"""What can be shown on the lines of a student's own files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.export.base import Options
from grader.export.grade import Grade
from grader.export.text import mistakes, own_message, root_places, telling, what
from grader.model.evidence import Explanation
from grader.model.report import StudentExercise
from grader.model.verdict import Status


@dataclass(frozen=True)
class Finding:
    """Something to show at a line.

    Args:
        rule: What it is an instance of: a misconception, or an exercise with a status.
        name: What it is called.
        message: What to say.
        file: The student's file, with the folder that it lies in.
        line: The line, counted from 1; the first where none is known.
    """

    rule: str
    name: str
    message: str
    file: str
    line: int


def findings(grade: Grade, options: Options) -> list[Finding]:
    """Return what is wrong, each thing once: named mistakes first, then where the student's code raised."""
    wrong = [each for each in grade.exercises if not each.status.is_ours and each.status is not Status.PASSED]
    found = [finding for exercise in wrong for finding in _mistakes(exercise, grade, options)]
    found += [finding for exercise in wrong for finding in _raised(exercise, grade, options)]
    # A file that cannot be imported is one mistake, though every exercise in it fails.
    return list({(each.file, each.line, each.message): each for each in reversed(found)}.values())[::-1]


def _mistakes(exercise: StudentExercise, grade: Grade, options: Options) -> Iterator[Finding]:
    for diagnosis in mistakes(exercise):
        for misconception, words in diagnosis.explained(options.language):
            file, line = _place(misconception, exercise, grade, options)
            yield Finding(misconception, words.name, _reasons(words, options), options.prefix + file, line)


def _raised(exercise: StudentExercise, grade: Grade, options: Options) -> Iterator[Finding]:
    """Exceptions with their lines, or else why an exercise without a named mistake earned less."""
    rule, name = f"{exercise.id}/{exercise.status}", f"{exercise.id}: {options.words.statuses[exercise.status]}"
    placed = [test for test in telling(exercise) if test.file and test.line]
    for test in placed:
        said = _without_name(what(test, options), test.name)
        yield Finding(rule, name, said, f"{options.prefix}{test.file}", test.line or 1)
    if not placed and not mistakes(exercise):
        file, line = _place(exercise.id, exercise, grade, options)
        said = own_message(exercise) or next((what(test, options) for test in telling(exercise) if test.message), "")
        yield Finding(rule, name, said or exercise.title.said_in(options.language), options.prefix + file, line)


def _without_name(said: str, test: str | None) -> str:
    """What many tests saw in one line is told once."""
    name = (test or "").rpartition("::")[2]
    return said.removeprefix(f"{name}: ") if name else said


def _reasons(words: Explanation, options: Options) -> str:
    return f"{words.why}\n{options.words.hint.format(words.hint)}"


def _place(root: str, exercise: StudentExercise, grade: Grade, options: Options) -> tuple[str, int]:
    """Return where to look: the function, else where the student's code raised, else the file."""
    for place in root_places(root, grade, options):
        return place.file, place.line
    for test in exercise.tests:
        if test.status is not Status.PASSED and test.file and test.line:
            return test.file, test.line
    module = f"{root.partition('.')[0]}.py"
    return (module if module in grade.files else next(iter(grade.files), module)), 1
