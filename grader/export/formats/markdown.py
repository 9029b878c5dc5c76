"""Markdown for a comment on a pull request, within what GitHub takes."""

from __future__ import annotations

from collections.abc import Iterator

from grader.escape.markdown import markdown, prose
from grader.export.base import Options
from grader.export.document import fitting, shortened
from grader.export.grade import Grade
from grader.export.text import mistakes, notes, points, root_places, seen
from grader.model.evidence import Diagnosis
from grader.model.report import StudentExercise
from grader.model.verdict import Status

HELP = "Markdown: a comment on a pull request"
SUFFIX = ".md"
_MOST = 65_536  # characters; a longer comment GitHub refuses


def render(grade: Grade, options: Options) -> str:
    """Return the comment."""
    return fitting(lambda length: _whole(grade, options, length), _MOST, len)


def _whole(grade: Grade, options: Options, length: int) -> str:
    return "".join(f"{line}\n" for line in _lines(grade, options, length))


def _lines(grade: Grade, options: Options, length: int) -> Iterator[str]:
    words = options.words
    yield f"### {words.score}: {points(grade.score, grade.points, options)}"
    yield ""
    if grade.fault:
        yield from (prose(words.fault), "")
    for part in grade.parts:
        for note in notes(part, options):
            yield from (f"{prose(part.title.said_in(options.language))}: {markdown(note)}", "")
    for problem in grade.problems:
        yield from (f"{markdown(problem.file)}: {markdown(shortened(f'{problem.message}; {problem.hint}', 500))}", "")
    yield f"| {words.exercise} | {words.result} | {words.score} |"
    yield "|---|---|---:|"
    for exercise in grade.exercises:
        score = None if grade.fault else exercise.score
        yield f"| {prose(exercise.title.said_in(options.language))} | {words.statuses[exercise.status]} | {points(score, exercise.points, options)} |"
    told: set[str] = set()
    for exercise in grade.exercises:
        if exercise.status is not Status.PASSED and length:
            yield from _exercise(exercise, grade, options, length, told)
    if not length:
        yield from ("", words.cut)


def _exercise(exercise: StudentExercise, grade: Grade, options: Options, length: int, told: set[str]) -> Iterator[str]:
    """Yield what was wrong; a file that is missing is missed by every exercise, and told once."""
    said = list(_details(exercise, grade, options, length))
    if "".join(said) not in told:
        told.add("".join(said))
        yield from ("", f"**{prose(exercise.title.said_in(options.language))}** {markdown(exercise.id)}", "", *said)


def _details(exercise: StudentExercise, grade: Grade, options: Options, length: int) -> Iterator[str]:
    if exercise.status.is_ours:
        yield prose(options.words.fault)
        return
    if exercise.message:
        yield from (markdown(shortened(exercise.message, length)), "")
    for diagnosis in mistakes(exercise):
        yield from _mistake(diagnosis, grade, options)
    yield from (f"- {markdown(shortened(each, length))}" for each in seen(exercise, options))


def _mistake(diagnosis: Diagnosis, grade: Grade, options: Options) -> Iterator[str]:
    for misconception, words in diagnosis.explained(options.language):
        yield from (f"> **{prose(words.name)}**", ">", f"> {prose(words.why)}", ">")
        yield f"> {prose(options.words.hint.format(words.hint))}"
        for place in root_places(misconception, grade, options):
            look = options.words.look.format(name=place.name, file=place.file, line=place.line)
            yield from (">", f"> {markdown(look)}")
        yield ""
