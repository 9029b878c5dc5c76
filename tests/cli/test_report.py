"""`grader report`, as it is typed."""

from __future__ import annotations

from click.testing import CliRunner

from grader.cli.main import cli
from grader.gradebook.runs import note_facts
from grader.model.errors import UsageError
from tests.gradebook.toy import Filled
from tests.graded import made


def ran(*words: object):
    return CliRunner().invoke(cli, [*map(str, words)], standalone_mode=False)


def test_pages_lie_beside_the_reports_and_it_is_told_where(tmp_path):
    made.folder(tmp_path, made.report("ada"), made.report("bo"))
    done = ran("report", tmp_path)
    assert done.output.splitlines() == [
        f"2 pages of students: {tmp_path}/STUDENT/report.html",
        f"the class: {tmp_path}/index.html",
    ]
    assert (tmp_path / "ada" / "report.html").is_file()


def test_out_and_lang_choose_a_folder_and_what_is_shown_first(tmp_path):
    made.folder(tmp_path / "scores", made.report("ada"))
    ran("report", tmp_path / "scores", "--out", tmp_path / "pages", "--lang", "zh-TW")
    assert 'id="in-zh" checked' in (tmp_path / "pages" / "index.html").read_text("utf-8")
    assert not (tmp_path / "scores" / "index.html").exists()


def test_what_can_be_handed_out_is_what_the_policy_released(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    filled = Filled(tmp_path / "gradebook.db")
    filled.add()
    with filled.book:
        note_facts(filled.book, {"assignment toy": {"exercises": {"toy.double": {"points": 10.0}}}})
    (tmp_path / "policy.toml").write_text("bank_days = 0\n", encoding="utf-8")
    held_back = ran("report", tmp_path, "--students-only")
    assert "1 withheld, of whom nothing is released" in held_back.output
    assert not (tmp_path / "ada" / "report.html").exists()
    policy = tmp_path / "released.toml"
    policy.write_text("[assignments.toy]\nrelease = 2020-01-01T00:00:00\n", encoding="utf-8")
    ran("report", tmp_path, "--students-only", "--policy", policy)
    assert (tmp_path / "ada" / "report.html").is_file()
    assert not (tmp_path / "index.html").exists()


def test_a_folder_without_reports_is_a_usage_error(tmp_path):
    assert isinstance(ran("report", tmp_path).exception, UsageError)
