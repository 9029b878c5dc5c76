"""What is said of a grade in plain lines, for whatever shows text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.course.place import Place, places
from grader.escape.terminal import block, line
from grader.export.base import Options
from grader.export.document import shortened
from grader.export.grade import Grade, Part
from grader.model.evidence import Diagnosis
from grader.model.points import rounded
from grader.model.report import StudentExercise, StudentTest
from grader.model.verdict import Status, Suite

_SHOWN = 3
_MESSAGE = 4_000  # characters of one message: nobody reads more, and each is looked at before it is shown


def about(exercise: StudentExercise, grade: Grade, options: Options) -> list[str]:
    """Return what its student is told of an exercise: verdict, named mistakes, what the visible tests saw."""
    said = [options.words.statuses[exercise.status]]
    if exercise.status.is_ours:
        return [*said, options.words.fault]
    said += _told(exercise, options)
    for diagnosis in mistakes(exercise):
        said += _mistake(diagnosis, grade, options)
    return [*said, *seen(exercise, options), *_counted(exercise, options)]


def overall(grade: Grade, options: Options) -> list[str]:
    """Return what its student is told of the whole: the score, what counts of what was earned, and what was wrong with the files."""
    words = options.words
    said = [f"{words.score}: {points(grade.score, grade.points, options)}"]
    if grade.fault:
        said.append(words.fault)
    for part in grade.parts:
        said += [f"{line(part.title.said_in(options.language))}: {note}" for note in notes(part, options)]
    return said + [line(f"{each.file}: {each.message}; {each.hint}") for each in grade.problems]


def points(score: float | None, of: float, options: Options) -> str:
    """Return a score as it is read, two decimals of a whole."""
    return options.words.none if score is None else f"{score:.2f} / {of:g}"


def notes(part: Part, options: Options) -> Iterator[str]:
    """Yield why a part counts what it counts, and what persons say of it."""
    words, final = options.words, part.final
    if part.excused:
        yield words.excused
    elif final is not None and part.counts is not None:
        if final.score != final.earned:
            yield words.earned.format(f"{rounded(final.earned):.2f}")
        if final.lateness.seconds:
            yield words.too_late if final.lateness.cut_off else words.late.format(final.lateness.days)
    yield from (words.comment.format(line(comment)) for comment in part.comments)


def mistakes(exercise: StudentExercise) -> list[Diagnosis]:
    """Return the mistakes of an exercise that have a name."""
    return [each for each in (exercise.diagnosis, *exercise.also) if each is not None]


def seen(exercise: StudentExercise, options: Options) -> list[str]:
    """Return the first few things that tests saw, each once. What passed with right answers for others was shown nothing wrong."""
    if exercise.status is Status.PASSED:
        return []
    told = [said for test in telling(exercise) if test.message != exercise.message and (said := what(test, options))]
    more = [options.words.more.format(len(told) - _SHOWN)] if len(told) > _SHOWN else []
    return told[:_SHOWN] + more


def telling(exercise: StudentExercise) -> list[StudentTest]:
    """Return the tests that did not pass, one for each thing that was seen or line that raised, the visible ones first."""
    wrong = [test for test in exercise.tests if test.status is not Status.PASSED]
    ordered = sorted(wrong, key=lambda test: test.suite is not Suite.VISIBLE)
    first: dict[object, StudentTest] = {}
    for test in ordered:
        first.setdefault((test.file, test.line) if test.file and test.line else test.message, test)
    return list(first.values())


def what(test: StudentTest, options: Options) -> str:
    """Return what a test saw, as far as the student may know: of a hidden one the exception and the line of their own file."""
    where = ""
    if test.error and test.file and test.line:
        where = options.words.raised.format(error=test.error, file=line(test.file), line=test.line)
    # A file that cannot be imported failed before any test of it.
    name = "" if test.status.comes_before_tests else line((test.name or "").rpartition("::")[2])
    message = block(shortened(test.message or "", _MESSAGE)).replace("\n", "\n    ")
    return ": ".join(filter(None, (name, message or where)))


def own_message(exercise: StudentExercise) -> str:
    """Return what an exercise says of itself."""
    return block(shortened(exercise.message, _MESSAGE))


def root_places(misconception: str, grade: Grade, options: Options) -> list[Place]:
    """Return where the exercise that a misconception is made in is written, if the course says what it asks for."""
    exercise = options.exercises.get(misconception.partition("/")[0])
    return places(exercise, grade.files) if exercise else []


def _told(exercise: StudentExercise, options: Options) -> Iterator[str]:
    if exercise.message:
        yield own_message(exercise)
    if exercise.carried:
        yield options.words.carried.format(", ".join(exercise.carried))


def _mistake(diagnosis: Diagnosis, grade: Grade, options: Options) -> Iterator[str]:
    for misconception, words in diagnosis.explained(options.language):
        where = f"{', '.join(map(line, diagnosis.questions))}: " if diagnosis.questions else ""
        yield f"=> {where}{words.name}"
        yield words.why
        yield options.words.hint.format(words.hint)
        for place in root_places(misconception, grade, options):
            yield options.words.look.format(name=place.name, file=place.file, line=place.line)


def _counted(exercise: StudentExercise, options: Options) -> Iterator[str]:
    for suite, phrase in ((Suite.VISIBLE, options.words.visible), (Suite.HIDDEN, options.words.hidden)):
        if tests := _of(exercise.tests, suite):
            yield phrase.format(held=sum(test.status is Status.PASSED for test in tests), all=len(tests))


def _of(tests: Sequence[StudentTest], suite: Suite) -> list[StudentTest]:
    return [test for test in tests if test.suite is suite]
