"""A run of `grader grade`, from what was asked to an exit code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from rich.console import Console

from grader.batch.console import console
from grader.batch.exposure import exposure
from grader.batch.folder import strangers
from grader.batch.notes import earlier, interrupted, left_out
from grader.batch.progress import progress, table
from grader.batch.run import grade_all
from grader.course.assignment import Assignment
from grader.course.locate import find_course, load_assignments
from grader.escape.terminal import line
from grader.intake.base import Submission
from grader.intake.discover import Mode, discover
from grader.intake.ids import safe_id
from grader.intake.leftover import Leftover
from grader.model.errors import UsageError
from grader.model.report import Report
from grader.pipeline.key import FILE_NAME, course_key
from grader.pipeline.settings import Settings, prepare
from grader.sandbox.base import Level
from grader.sandbox.registry import chosen


@dataclass(frozen=True)
class Request:
    """What the command line asked for; the options of `grader grade` under their own names."""

    paths: Sequence[Path]
    assignments: Sequence[str]
    out: Path
    jobs: int
    exercises: Sequence[str]
    students: Sequence[str]
    mode: Mode | None
    isolation: str | None
    weak: bool
    fail_under: float | None
    seed_key: Path | None
    course: Path


def run(request: Request) -> int:
    """Grade, and return the exit code: 0 done, 1 below --fail-under, 4 where a fault was ours.

    Raises:
        GraderError: Nothing could be graded: usage, course or sandbox.
    """
    log = console()

    def say(text: str) -> None:
        log.print(line(text), markup=False, soft_wrap=True)

    course = find_course(request.course)
    assignments = load_assignments(course, request.assignments)
    _check_exercises(assignments, request.exercises)
    assignments = [assignment for assignment in assignments if _concerned(assignment, request.exercises)]
    level = chosen(
        Level(request.isolation) if request.isolation else None, Level.NONE if request.weak else Level.CONTAINER
    )
    if told := exposure(level, course):
        say(f"note: {told}")
    wanted = sorted({name for assignment in assignments for name in assignment.manifest.files})
    beside: list[Leftover] = []
    found = discover(request.paths, wanted, request.mode or "auto", leave_out=beside.append)
    # Reports that were written beside the submissions are no submission.
    found = [submission for submission in found if submission.source.resolve() != request.out.resolve()]
    submissions = _chosen(found, request.students)
    settings = Settings(
        graded=[prepare(assignment) for assignment in assignments],
        key=course_key(request.seed_key or course / FILE_NAME, say),
        backend=level,
        only=tuple(request.exercises),
    )
    notes = [*left_out(beside), earlier(request.out, strangers(request.out, {each.id for each in submissions}))]
    for note in filter(None, notes):
        say(f"note: {note}")
    reports = _graded(request, submissions, settings, beside, log)
    say(f"reports in {request.out}/")
    return _exit_code(reports, request.fail_under)


def _graded(
    request: Request,
    submissions: Sequence[Submission],
    settings: Settings,
    beside: Sequence[Leftover],
    log: Console,
) -> list[Report]:
    """Grade, and show how it goes and what came of it, also where the run is stopped."""
    names = [name for each in beside for name in (*each.loose, *each.dotted)]
    reports: list[Report] = []
    try:
        with (
            progress(len(submissions), log) as tell,
            closing(grade_all(submissions, settings, jobs=request.jobs, out=request.out, left_out=names)) as graded,
        ):
            for report in graded:
                reports.append(report)
                tell(report)
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(interrupted(len(reports), len(submissions), request.out)) from error
    finally:
        if reports:
            log.print(table(reports))
    return reports


def _exit_code(reports: Sequence[Report], fail_under: float | None) -> int:
    if any(report.status.is_ours for report in reports):
        return 4
    below = fail_under is not None and any((report.score or 0) * 100 < fail_under * report.points for report in reports)
    return 1 if below else 0


def _check_exercises(assignments: Sequence[Assignment], wanted: Sequence[str]) -> None:
    known = [exercise.id for assignment in assignments for exercise in assignment.manifest.exercises]
    for exercise in wanted:
        if exercise not in known:
            close = get_close_matches(exercise, known, n=1)
            raise UsageError(
                f"no exercise {exercise!r} here",
                hint=f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}",
            )


def _concerned(assignment: Assignment, wanted: Sequence[str]) -> bool:
    """Whether something of an assignment is to be graded."""
    return not wanted or any(exercise.id in wanted for exercise in assignment.manifest.exercises)


def _chosen(submissions: Sequence[Submission], students: Sequence[str]) -> list[Submission]:
    """Return the submissions to grade: all; those of `students`; or the only one there is, as its student's."""
    if not students:
        return list(submissions)
    if len(submissions) == len(students) == 1:
        return [replace(submissions[0], id=_id_of(submissions, students[0]) or safe_id(students[0]))]
    ids = {_id_of(submissions, student) or _refuse_unknown(submissions, student) for student in students}
    return [submission for submission in submissions if submission.id in ids]


def _id_of(submissions: Sequence[Submission], student: str) -> str | None:
    return next((each.id for each in submissions if each.id in (student, safe_id(student))), None)


def _refuse_unknown(submissions: Sequence[Submission], student: str) -> NoReturn:
    close = get_close_matches(student, [submission.id for submission in submissions], n=1)
    raise UsageError(
        f"no submission of {student!r}",
        hint=f"did you mean {close[0]!r}?" if close else "the name of the folder or archive is the id",
    )
