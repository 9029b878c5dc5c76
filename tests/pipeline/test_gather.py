"""What cannot be read by a fault of ours costs nobody a point."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.intake.base import Problem, Submission
from grader.intake.budget import too_large
from grader.model.evidence import Evidence
from grader.model.verdict import Status
from grader.pipeline import gather as module
from grader.pipeline.gather import _refused, gather
from grader.pipeline.settings import Settings, prepare
from grader.score.assess import assess
from tests.e2e.toy import toy_course

OURS = Problem("toy.py", "it cannot be read: Permission denied", "chmod", ours=True)
THEIRS = Problem("toy.py", "it is a link, not a file", "hand in a file of that name")


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Gather the evidence on a submission; one that would be judged gives evidence of no test."""
    graded = prepare(load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy"))
    monkeypatch.setattr(module, "judged", lambda job, assignment, stop, run: Evidence(assignment="judged"))

    def gathered(files: dict[str, bytes], *problems: Problem) -> tuple[Evidence, Status]:
        submission = Submission("ada", Path("ada"), files, "0", (), problems)
        evidence = gather(submission, graded, Settings([graded], key=b"key", backend="none"))
        return evidence, assess(graded.assignment, graded.locked, evidence, suite_digest="0").status

    return gathered


def test_a_file_that_we_may_not_read_is_a_fault_of_ours(found) -> None:
    evidence, status = found({}, OURS)
    assert evidence.problem == "toy.py: it cannot be read: Permission denied; chmod"
    assert status is Status.GRADER_ERROR


def test_a_file_that_cannot_be_taken_for_another_reason_is_the_students(found) -> None:
    assert found({}, THEIRS)[1] is Status.IMPORT_ERROR


def test_of_a_file_that_is_there_the_judge_is_told_why_it_could_not_be_taken(found, monkeypatch) -> None:
    jobs = []
    monkeypatch.setattr(
        module, "judged", lambda job, assignment, stop, run: jobs.append(job) or Evidence(assignment="judged")
    )
    large, gone = too_large("week 1/toy.py", 1024).problem, Problem("toy.py", "gone", "hand it in", missing=True)
    submission = Submission("ada", Path("ada"), {"more.py": b""}, "0", (), (gone, large))
    assert _refused(submission, ["toy.py", "more.py"]) == {
        "toy.py": "week 1/toy.py: it is larger than 1 KiB; only code belongs in it, no data"
    }
    assert _refused(replace(submission, problems=(gone,)), ["toy.py"]) == {}
    found({"toy.py": b""}, OURS)
    assert jobs[0].refused == {}


def test_an_unreadable_file_that_nobody_asked_for_stops_nothing(found) -> None:
    assert found({"toy.py": b""}, OURS)[0].assignment == "judged"
