"""A run of `grader ci`, from a repository to an exit code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.ci.graded import GradedWork
from grader.ci.hidden import Hidden
from grader.ci.page import append
from grader.ci.suite import Suite
from grader.ci.tell import tell
from grader.ci.visible import Visible
from grader.ci.work import Work, work_in
from grader.course.locate import find_course, load_assignments
from grader.export.formats import markdown, workflow
from grader.export.words import Language
from grader.model.errors import UsageError


@dataclass(frozen=True)
class Request:
    """What was asked for, and where.

    Args:
        repository: The student's repository.
        course: The course with the hidden tests; None to grade with the visible ones.
        asked: Assignments by name; all that are there where empty.
        student: The student's id; None for the name of the repository.
        fail_under: Percent of its points that each assignment has to earn.
        language: Of explanations.
        environment: Of the workflow.
    """

    repository: Path
    course: Path | None = None
    asked: Sequence[str] = ()
    student: str | None = None
    fail_under: float = 100.0
    language: Language = "en"
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


def run(request: Request, say: Callable[[str], None], command: Callable[[str], None]) -> int:
    """Grade what is there, tell how it stands, and return the exit code: 0 done, 1 below, 4 a fault that is not the student's.

    Args:
        request: What was asked for.
        say: Told what the log says, line by line.
        command: Told commands of a GitHub workflow, where this is one; nothing in them needs to be escaped any more.

    Raises:
        UsageError: There is no work here.
        GraderError: Nothing could be graded.
    """
    suite, works = _found(request)
    say(suite.SAID[request.language])
    finished = []
    for work in works:
        graded = GradedWork(work, suite.report(work, _student(request)))
        for line in tell(graded, graded.options(request.language)):
            say(line)
        if graded.counts:
            _show(graded, request, command, suite.SAID[request.language])
        finished.append(graded)
    return _exit_code(finished, request.fail_under)


def _found(request: Request) -> tuple[Suite, list[Work]]:
    repository = request.repository.resolve()
    if request.course is None:
        course = find_course(repository)
        return Visible(), work_in(course, load_assignments(course, request.asked), request.asked)
    course = request.course.resolve()
    if not (course / "assignments").is_dir():
        raise UsageError(
            "this is no course: it holds no assignments/",
            where=request.course,
            hint="--course, or the variable GRADER_COURSE, names the folder that holds them",
        )
    return Hidden(course), work_in(repository, load_assignments(course, request.asked), request.asked)


def _student(request: Request) -> str:
    named = request.environment.get("GITHUB_REPOSITORY", "").rpartition("/")[2]
    return request.student or named or request.repository.resolve().name


def _show(graded: GradedWork, request: Request, command: Callable[[str], None], said: str) -> None:
    """Show how work stands where a workflow shows it: at its lines, and on the page of the run."""
    options = graded.options(request.language)
    if request.environment.get("GITHUB_ACTIONS") == "true":
        command(workflow.render(graded.grade, options))
    if page := request.environment.get("GITHUB_STEP_SUMMARY"):
        append(Path(page), f"{markdown.render(graded.grade, options)}\n{said}\n")


def _exit_code(finished: Sequence[GradedWork], fail_under: float) -> int:
    if any(graded.grade.fault for graded in finished):
        return 4
    counting = [graded for graded in finished if graded.counts]
    return 1 if not counting or any(graded.below(fail_under) for graded in counting) else 0
