"""A run of `grader export`, from what was asked to an exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.locate import find_course, load_assignments
from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.grade import Grade, grade_of, grades
from grader.export.registry import OF_CLASS, OF_ONE
from grader.export.roster import columns_of
from grader.export.unreleased import unreleased
from grader.export.words import Language
from grader.graded.read import GradedClass, read_class
from grader.intake.ids import student_id
from grader.model.errors import CourseError, UsageError
from grader.model.manifest import Exercise
from grader.pipeline.write import write_atomically

_LOST, _FAULT = 1, 4


@dataclass(frozen=True)
class Request:
    """What the command line asked for; the options of `grader export` under their own names."""

    name: str
    folder: Path
    students: Sequence[str]
    assignments: Sequence[str]
    out: Path | None
    roster: Path | None
    into: Path | None
    column: str | None
    prefix: str
    policy: Path | None
    anyway: bool
    language: Language
    course: Path


def run(request: Request, write: Callable[[str], None], tell: Callable[[str], None]) -> int:
    """Export, and return the exit code: 0 done, 1 where a score found no place, 4 where there is none by a fault of ours.

    Args:
        request: What was asked for.
        write: Takes the document, where it goes to stdout.
        tell: Takes lines for a person.

    Raises:
        UsageError: Nothing can be exported as it was asked for.
    """
    graded = read_class(request.folder, request.policy)
    if graded.summary.not_graded:
        tell(f"note: not graded, so left out: {', '.join(map(line, graded.summary.not_graded))}")
    for_students = request.name in OF_ONE or OF_CLASS[request.name].FOR_STUDENTS
    wanted = _wanted(graded, request, tell, for_students=for_students)
    options = Options(
        language=request.language,
        prefix=_folder(request.prefix),
        exercises=_exercises(request.course, wanted),
        roster=columns_of(request.roster) if request.roster else {},
        into=request.into,
        column=request.column,
    )
    faults: list[str] = []
    found = _watched(_chosen(graded, wanted, request), faults)
    lost = (_ones if request.name in OF_ONE else _class)(request, found, options, write, tell)
    for each in lost:
        tell(f"lost: {line(each)}")
    for each in faults:
        tell(f"no score: {line(each)}: a fault of the grader; grade again")
    return _FAULT if faults else _LOST if lost else 0


def _ones(
    request: Request,
    found: Iterator[Grade],
    options: Options,
    write: Callable[[str], None],
    tell: Callable[[str], None],
) -> Sequence[str]:
    made = OF_ONE[request.name]
    if request.out is None:
        grade, another = next(found, None), next(found, None)
        if grade is None or another is not None:
            raise UsageError(
                f"{request.name} is a format of one submission, and there are several"
                if grade
                else "nothing was graded",
                where=request.folder,
                hint="--student ID prints one; --out FOLDER writes a file for each",
            )
        write(made.render(grade, options))
        return ()
    number = 0
    for grade in found:
        write_atomically(request.out / f"{grade.id}{made.SUFFIX}", made.render(grade, options))
        number += 1
    tell(f"{number} files in {request.out}/")
    return ()


def _class(
    request: Request,
    found: Iterator[Grade],
    options: Options,
    write: Callable[[str], None],
    tell: Callable[[str], None],
) -> Sequence[str]:
    table = OF_CLASS[request.name].render(found, options)
    if request.out is None:
        write(table.text)
    else:
        write_atomically(request.out, table.text)
    for note in table.notes:
        tell(f"note: {line(note)}")
    return table.lost


def _wanted(graded: GradedClass, request: Request, tell: Callable[[str], None], *, for_students: bool) -> list[str]:
    """Return the assignments to tell of: those that were asked for and that, where students see it, are released."""
    there = graded.summary.assignments
    if strange := [each for each in request.assignments if each not in there]:
        raise UsageError(
            f"no assignment {strange[0]!r} was graded here", where=request.folder, hint=f"there are: {', '.join(there)}"
        )
    asked = [each for each in there if not request.assignments or each in request.assignments]
    held = unreleased(graded) if for_students and not request.anyway else set()
    hint = f"grader gradebook release {request.folder} ASSIGNMENT, or --unreleased"
    if held >= {*asked}:
        raise UsageError(f"students may not see {', '.join(asked)} yet", where=request.folder, hint=hint)
    if left := [each for each in asked if each in held]:
        tell(f"note: not released, so left out: {', '.join(left)}")
    return [each for each in asked if each not in held]


def _chosen(graded: GradedClass, wanted: Sequence[str], request: Request) -> Iterator[Grade]:
    """Return those who were asked for; in a class also those for whom something counts that they did not hand in."""
    if request.students:
        return (grade_of(graded.of(student_id(student)), wanted) for student in request.students)
    if request.name in OF_ONE:
        return (grade_of(each, wanted) for each in graded)
    return grades(graded, wanted)


def _watched(found: Iterable[Grade], faults: list[str]) -> Iterator[Grade]:
    """Pass grades on, and note whose have no score by a fault of ours."""
    for grade in found:
        if grade.fault:
            faults.append(grade.id)
        yield grade


def _folder(prefix: str) -> str:
    return f"{prefix.rstrip('/')}/" if prefix else ""


def _exercises(course: Path, wanted: Sequence[str]) -> Mapping[str, Exercise]:
    """Return the course's exercises, which say where to look. A folder of reports is exported without its course too."""
    try:
        found = load_assignments(find_course(course), list(wanted))
    except (UsageError, CourseError):
        return {}
    return {exercise.id: exercise for each in found for exercise in each.manifest.exercises}
