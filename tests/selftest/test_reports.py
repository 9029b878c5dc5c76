from __future__ import annotations

import dataclasses

from grader.intake.names import shown
from grader.model.verdict import Status
from grader.selftest.reports import difference, read_reports, report_of
from grader.selftest.stage import Stage
from grader.selftest.tokens import Tokens
from tests.selftest.conftest import pair


def test_reports_that_say_the_same_do_not_differ_whatever_the_time() -> None:
    assert difference(pair(total=9.0), pair(total=1.0)) is None


def test_what_differs_is_told() -> None:
    assert difference(None, pair()) == "it has no report"
    assert "failed with 0.0 points, undisturbed partial" in difference(pair(score=0.0, status=Status.FAILED), pair())
    assert "something else" in difference(pair(printed="who was here"), pair())
    assert "99 s longer" in difference(pair(total=100.0), pair(total=1.0))


def test_reports_are_read_as_they_were_written_and_found_by_id_or_by_name(tmp_path) -> None:
    written = pair()
    (tmp_path / "reads").mkdir()
    (tmp_path / "reads" / "report.json").write_text(written.instructor, encoding="utf-8")
    (tmp_path / "reads" / "report.student.json").write_text(written.student, encoding="utf-8")
    reports = read_reports(tmp_path)
    assert reports == {"reads": dataclasses.replace(written)}
    stage = Stage(tmp_path, Tokens(), names={"other": "reads", "third": "third"})
    assert report_of("reads", stage, reports) == report_of("other", stage, reports) == written
    assert report_of("third", stage, reports) is None


def test_a_submission_of_a_strange_name_is_found_by_how_that_name_is_shown(tmp_path) -> None:
    name = "ann\x1b[31m\u202e"
    strange = pair()
    info = strange.report.submission.model_copy(update={"source": shown(name)})
    found = dataclasses.replace(strange, report=strange.report.model_copy(update={"submission": info}))
    assert report_of("attack", Stage(tmp_path, Tokens(), names={"attack": name}), {"ann%1B": found}) is found
