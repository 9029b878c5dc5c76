from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.batch import run
from grader.batch.finished import line_of
from grader.batch.ledger import Keeping
from grader.batch.run import grade_all
from grader.batch.summary import summarise
from grader.intake.base import Submission
from grader.model.errors import CourseError
from grader.model.report import Report, SubmissionInfo
from grader.model.verdict import Status
from grader.pipeline.grade import Outcome
from grader.pipeline.settings import Settings


def report(student: str, score: float | None = 1.0) -> Report:
    info = SubmissionInfo(id=student, source=student, digest="0", files=[])
    status = Status.GRADER_ERROR if score is None else Status.PASSED
    return Report(
        grader_version="0",
        submission=info,
        status=status,
        score=score,
        points=2.0,
        assignments=[],
        environment={},
        timings={},
    )


def submissions(*students: str) -> list[Submission]:
    return [Submission(student, Path(student), {}, "0", (), ()) for student in students]


SETTINGS = Settings(graded=[], key=b"", backend="none")


@pytest.fixture
def graded_how(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, list[Outcome]]]:
    """What grading a student gives, time after time."""
    plan: dict[str, list[Outcome]] = {}
    monkeypatch.setattr(run, "grade", lambda submission, settings, before: plan[submission.id].pop(0))
    yield plan
    assert not any(plan.values()), "every planned outcome was used"


def test_a_disturbed_submission_is_graded_once_more_and_the_second_result_stands(graded_how, tmp_path: Path) -> None:
    graded_how["ann"] = [
        Outcome(report("ann", 0.0), disturbed=True, course_fault=None),
        Outcome(report("ann", 2.0), disturbed=True, course_fault=None),
    ]
    graded_how["bob"] = [Outcome(report("bob"), disturbed=False, course_fault=None)]
    found = {
        each.row.id: each.row.score for each in grade_all(submissions("ann", "bob"), SETTINGS, jobs=2, out=tmp_path)
    }
    assert found == {"ann": 2.0, "bob": 1.0}
    assert json.loads((tmp_path / "ann" / "report.json").read_text("utf-8"))["score"] == 2.0


def test_a_fault_of_the_course_ends_the_run_and_keeps_what_is_done(graded_how, tmp_path: Path) -> None:
    graded_how["ann"] = [Outcome(report("ann"), disturbed=False, course_fault=None)]
    graded_how["bob"] = [Outcome(report("bob", None), disturbed=False, course_fault="no such test")]
    with pytest.raises(CourseError, match="no such test"):
        list(grade_all(submissions("ann", "bob"), SETTINGS, jobs=1, out=tmp_path))
    summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert [row["id"] for row in summary["submissions"]] == ["ann"]
    assert (summary["interrupted"], summary["not_graded"]) == (False, ["bob"])
    assert not (tmp_path / "bob").exists()


def test_a_run_whose_reports_nobody_takes_any_more_is_interrupted(graded_how, tmp_path: Path) -> None:
    graded_how["ann"] = [Outcome(report("ann"), disturbed=False, course_fault=None)]
    graded = grade_all(submissions("ann", "bob"), SETTINGS, jobs=1, out=tmp_path)
    next(graded)
    graded.close()
    summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert (summary["interrupted"], summary["not_graded"]) == (True, ["bob"])
    graded_how.pop("bob", None)


def test_the_summary_of_a_whole_run_says_that_none_is_missing_and_what_was_left_out(graded_how, tmp_path: Path) -> None:
    graded_how["ann"] = [Outcome(report("ann"), disturbed=False, course_fault=None)]
    list(grade_all(submissions("ann"), SETTINGS, jobs=1, out=tmp_path, keeping=Keeping(left_out=["bob.py"])))
    summary = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert (summary["interrupted"], summary["not_graded"], summary["left_out"]) == (False, [], ["bob.py"])


def test_the_summary_is_sorted_and_a_fault_of_ours_is_no_zero() -> None:
    summary = summarise([line_of(each).row for each in (report("cat"), report("ann"), report("bob", None))], ["a"], 1.0)
    assert [row.id for row in summary.submissions] == ["ann", "bob", "cat"]
    assert summary.mean == 1.0
    assert summary.grader_errors == 1


def test_a_class_of_none_has_no_mean() -> None:
    assert summarise([], [], 0.0).mean is None
