"""Run one test of a report again, from the report alone: it holds the files and the seed."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.errors import GraderError, UsageError
from grader.model.evidence import TestEvidence
from grader.model.report import AssignmentReport, Report
from grader.pipeline.digest import suite_digest
from grader.sandbox.base import Level


@dataclass(frozen=True)
class Replayed:
    """A test before and now."""

    before: TestEvidence
    now: TestEvidence
    suite_changed: bool


def read_report(path: Path) -> Report:
    """Read an instructor's report.

    Raises:
        UsageError: It is missing, or is none.
    """
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=path, hint="name a report.json that `grader grade` wrote"
        ) from error
    except ValidationError as error:
        raise UsageError(
            "not an instructor's report",
            where=path,
            hint="report.json is one; report.student.json and summary.json are not",
        ) from error


def find_test(report: Report, wanted: str) -> tuple[AssignmentReport, TestEvidence]:
    """Return a test of a report by its id, or by the unique end of it.

    Raises:
        UsageError: No test, or more than one, is meant.
    """
    tests = {
        test.id: (assignment, test)
        for assignment in report.assignments
        for exercise in assignment.exercises
        for test in exercise.tests
    }
    found = [test_id for test_id in tests if test_id == wanted] or [
        test_id for test_id in tests if test_id.endswith(wanted)
    ]
    if len(found) != 1:
        close = found or get_close_matches(wanted, tests, n=3) or list(tests)[:3]
        raise UsageError(
            f"{'more than one test is' if found else 'no test is'} called {wanted!r}",
            hint=f"such as {', '.join(close)}",
        )
    return tests[found[0]]


def replay(
    report: Report, part: AssignmentReport, test: TestEvidence, assignment: Assignment, backend: Level
) -> Replayed:
    """Run the test again.

    Raises:
        GraderError: It could not be run.
    """
    manifest = assignment.manifest
    names = manifest.files
    artifacts = [each.file for each in manifest.artifacts]
    job = Job(
        assignment=assignment.folder,
        files={file.name: file.content.encode() for file in report.submission.files if file.name in names},
        artifacts={file.name: file.content.encode() for file in report.submission.files if file.name in artifacts},
        student=report.submission.id,
        suites=[test.suite],
        tests=[test.id],
        seeds={test.id: test.seed},
        locked=False,
        backend=backend,
    )
    evidence = run_suite(job, assignment)
    now = next((each for each in evidence.tests if each.id == test.id), None)
    if evidence.problem is not None or now is None:
        raise GraderError(evidence.problem or f"{test.id} is no longer part of the suite")
    return Replayed(test, now, suite_digest(assignment) != part.suite_digest)
