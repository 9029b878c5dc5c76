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
from grader.batch.handed_in import HandedIn, asked_of, handed_in
from grader.batch.ledger import Keeping
from grader.batch.machine import Machine
from grader.batch.notes import earlier, untimed
from grader.batch.roster import dating
from grader.batch.run import grade_all
from grader.batch.watched import watched
from grader.course.assignment import Assignment
from grader.course.locate import find_course, load_assignments
from grader.escape.terminal import line
from grader.executors.base import Place
from grader.executors.registry import EXECUTORS
from grader.gradebook.book import FILE_NAME as GRADEBOOK
from grader.gradebook.place import policy_for
from grader.intake.base import Submission
from grader.intake.discover import Mode
from grader.intake.ids import safe_id
from grader.intake.roster import Roster, read_roster
from grader.model.errors import UsageError
from grader.model.report import SummaryRow
from grader.pipeline.key import FILE_NAME, course_key
from grader.pipeline.settings import Settings, prepare
from grader.sandbox.base import Level


@dataclass(frozen=True)
class Request:
    """What the command line asked for; the options of `grader grade` under their own names."""

    paths: Sequence[Path]
    assignments: Sequence[str]
    out: Path
    jobs: int | None
    exercises: Sequence[str]
    students: Sequence[str]
    source: str
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
    executor: str
    scheduler: str | None
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
    kind = EXECUTORS[request.executor]
    level = kind.level(
        Level(request.isolation) if request.isolation else None, Level.NONE if request.weak else Level.CONTAINER
    )
    if told := exposure(level, course):
        say(f"note: {told}")
    roster = read_roster(request.roster) if request.roster else None
    asked = asked_of(assignments, request.source, request.mode or "auto")
    there = handed_in(request.paths, asked, roster, request.out, lambda text: say(f"note: {text}"))
    found = _chosen(there.submissions, request.students)
    settings = Settings(
        graded=[prepare(assignment) for assignment in assignments],
        key=course_key(request.seed_key or course / FILE_NAME, say),
        backend=level,
        only=tuple(request.exercises),
    )
    ids = {each.id for each in found}
    undated = None if request.submitted else untimed(found, roster)
    notes = [*there.notes, undated, earlier(request.out, strangers(request.out, ids))]
    for note in filter(None, notes):
        say(f"note: {note}")
    machine = Machine(tell if request.json_lines else lambda _: None, request.out)
    place = Place(assignments, request.jobs, level, request.scheduler, lambda text: say(f"note: {text}"))
    with kind.open(place) as executor:
        settings = replace(settings, run=executor.run)
        run = grade_all(found, settings, jobs=executor.jobs, out=request.out, keeping=_keeping(request, roster, there))
        lines = watched(run, len(ids), request.out, log, machine)
    say(f"reports in {request.out}/")
    machine.close()
    return _exit_code([each.row for each in lines], request.fail_under)


def _keeping(request: Request, roster: Roster | None, there: HandedIn) -> Keeping:
    book = request.gradebook or request.out / GRADEBOOK
    return Keeping(
        file=book,
        force=request.force,
        dated=dating(request.submitted, roster, policy_for(book, None)),
        left_out=there.left_out,
        unmatched=there.unmatched,
        absent=() if request.students else there.absent,
    )


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
