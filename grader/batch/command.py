"""A run of `grader grade`, from what was asked to an exit code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from grader.batch.console import console
from grader.batch.exposure import exposure
from grader.batch.folder import strangers
from grader.batch.ledger import Keeping
from grader.batch.machine import Machine
from grader.batch.notes import earlier, left_out
from grader.batch.roster import dating
from grader.batch.run import grade_all
from grader.batch.watched import watched
from grader.course.assignment import Assignment
from grader.course.locate import find_course, load_assignments
from grader.escape.terminal import line
from grader.gradebook.book import FILE_NAME as GRADEBOOK
from grader.gradebook.place import policy_for
from grader.intake.base import CAPS, Caps, Submission
from grader.intake.discover import Mode, discover
from grader.intake.ids import safe_id
from grader.intake.leftover import Leftover
from grader.model.errors import UsageError
from grader.model.report import SummaryRow
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
    gradebook: Path | None
    force: bool
    submitted: str | None
    roster: Path | None
    json_lines: bool
    course: Path


def run(request: Request, tell: Callable[[str], None] = lambda _: None) -> int:
    """Grade, and return the exit code: 0 done, 1 below --fail-under, 4 where a fault was ours.

    Args:
        request: What was asked for.
        tell: Told of each submission that is finished, as a line of JSON, where that was asked for.

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
    beside: list[Leftover] = []
    wanted, caps = _taken(assignments)
    found = discover(request.paths, wanted, request.mode or "auto", caps, beside.append)
    # Reports that were written beside the submissions are no submission.
    found = _chosen([each for each in found if not _same(each.source, request.out)], request.students)
    settings = Settings(
        graded=[prepare(assignment) for assignment in assignments],
        key=course_key(request.seed_key or course / FILE_NAME, say),
        backend=level,
        only=tuple(request.exercises),
    )
    ids = {each.id for each in found}
    notes = [*left_out(beside), earlier(request.out, strangers(request.out, ids))]
    for note in filter(None, notes):
        say(f"note: {note}")
    names = [name for each in beside for name in (*each.loose, *each.dotted)]
    run = grade_all(found, settings, jobs=request.jobs, out=request.out, keeping=_keeping(request, names))
    machine = Machine(tell if request.json_lines else lambda _: None, request.out)
    lines = watched(run, len(ids), request.out, log, machine)
    say(f"reports in {request.out}/")
    machine.close()
    return _exit_code([each.row for each in lines], request.fail_under)


def _same(source: Path, out: Path) -> bool:
    try:
        return source.samefile(out)
    except OSError:  # one of them is not there
        return False


def _taken(assignments: Sequence[Assignment]) -> tuple[list[str], Caps]:
    """Return which files are taken of a submission, and what they may cost."""
    limits = {name: limit for each in assignments for name, limit in each.manifest.taken.items()}
    larger = {name.rpartition("/")[2]: limit for name, limit in limits.items() if limit is not None}
    return sorted(limits), replace(CAPS, larger=larger)


def _keeping(request: Request, left_out: Sequence[str]) -> Keeping:
    book = request.gradebook or request.out / GRADEBOOK
    dated = dating(request.submitted, request.roster, policy_for(book, None))
    return Keeping(file=book, force=request.force, dated=dated, left_out=left_out)


def _exit_code(rows: Sequence[SummaryRow], fail_under: float | None) -> int:
    if any(row.status.is_ours for row in rows):
        return 4
    below = fail_under is not None and any((row.score or 0) * 100 < fail_under * row.points for row in rows)
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
