from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.export.registry import FORMATS
from grader.model.errors import UsageError
from tests.export import classes
from tests.graded import made


def export(*arguments):
    """Run `grader export` in this process; return its exit code, what is on stdout, and what is on stderr."""
    ran = CliRunner().invoke(cli, ["export", *map(str, arguments)], standalone_mode=False)
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran.exit_code, ran.stdout, ran.stderr


@pytest.fixture
def scores(tmp_path):
    return made.folder(tmp_path / "scores", classes.two("ada", 4.9, 2.45), classes.two("bo", 7.0, 3.0))


def test_one_submission_goes_to_stdout(scores):
    code, out, said = export("gradescope", scores, "--student", "ada")
    assert (code, said) == (0, "")
    assert json.loads(out)["score"] == 7.35


def test_a_document_is_written_as_the_format_made_it(scores):
    out = export("annotations", scores, "--student", "ada")[1]
    assert out.startswith("::notice title=Score 7.35 / 10::")


def test_a_class_goes_to_stdout_too(scores):
    assert export("csv", scores)[1].startswith('\ufeff"id"')


def test_with_out_every_submission_has_a_file(scores, tmp_path):
    code, out, said = export("gradescope", scores, "--out", tmp_path / "new" / "files")
    assert (code, out) == (0, "")
    assert "2 files" in said
    names = {path.name for path in (tmp_path / "new" / "files").iterdir()}
    assert names == {"ada.gradescope.json", "bo.gradescope.json"}


def test_with_out_a_class_is_a_file(scores, tmp_path):
    assert export("summary", scores, "--out", tmp_path / "class.md") == (0, "", "")
    assert (tmp_path / "class.md").read_text("utf-8").startswith("2 graded")


def test_several_submissions_need_a_place_each(scores):
    with pytest.raises(UsageError, match="there are several") as caught:
        export("gradescope", scores)
    assert "--out" in caught.value.hint


def test_a_class_of_one_needs_none(tmp_path):
    assert export("gradescope", made.folder(tmp_path, made.report("ada")))[0] == 0


@pytest.mark.parametrize("called", ["-rf", "%2Drf"])
def test_a_student_may_be_called_as_they_are_or_as_their_reports_are(tmp_path, called):
    folder = made.folder(tmp_path, made.report("%2Drf"), made.report("ada"))
    code, out, _ = export("csv", folder, f"--student={called}")
    assert (code, "%2Drf" in out, "ada" in out) == (0, True, False)


def test_a_student_who_is_not_there_is_told_with_a_near_name(scores):
    with pytest.raises(UsageError, match="no submission of 'adda'") as caught:
        export("gradescope", scores, "--student", "adda")
    assert "'ada'" in caught.value.hint


@pytest.mark.parametrize("name", ["gradescope", "csv"])
def test_a_fault_of_ours_ends_in_4_and_is_listed(name, tmp_path):
    folder = made.folder(tmp_path / "scores", classes.fault("eve"), classes.two("ada", 7.0, 3.0))
    code, _, said = export(name, folder, "--out", tmp_path / "out")
    assert code == 4
    assert [line for line in said.splitlines() if line.startswith("no score: ")] == [
        "no score: eve: a fault of the grader; grade again"
    ]


def test_a_score_that_finds_no_row_ends_in_1_and_is_told(scores, tmp_path):
    into = classes.canvas(tmp_path / "canvas.csv", ["ada"])
    code, out, said = export("canvas", scores, "--into", into, "--assignment-column", "Toy")
    assert code == 1
    assert out.splitlines()[2].endswith(",7.35")
    assert said.startswith("lost: bo: ")


def test_a_roster_says_who_is_who(scores, tmp_path):
    (tmp_path / "roster.csv").write_text("id,email\nada,a@x.example\nbo,b@x.example\n", encoding="utf-8")
    code, out, _ = export("moodle", scores, "--roster", tmp_path / "roster.csv", "--assignment-column", "Toy")
    assert code == 0
    assert out.splitlines()[0] == '"email","Toy","Toy feedback"'


def test_the_language_is_a_choice(scores):
    assert "\u5206\u6578" in export("markdown", scores, "--student", "ada", "--lang", "zh-TW")[1]


def test_one_assignment_may_be_chosen(tmp_path):
    folder = made.folder(tmp_path, made.report("ada", made.exercise("a.x", 1.0), made.exercise("b.x", 3.0)))
    assert json.loads(export("gradescope", folder, "-a", "b")[1])["score"] == 3.0
    with pytest.raises(UsageError, match="no assignment 'c'"):
        export("gradescope", folder, "-a", "c")


def held(folder: Path, policy: str) -> Path:
    classes.counted(folder, {"ada": 8.0, "bo": 8.0}, policy)
    return folder


NEVER = "[assignments.toy]\nrelease = 9999-01-01T00:00:00\n"


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - {"csv", "summary"}))
def test_what_is_not_released_is_not_told_to_students(name, scores):
    with pytest.raises(UsageError, match="may not see toy yet") as caught:
        export(name, held(scores, NEVER), "--student", "ada")
    assert "--unreleased" in caught.value.hint


def test_what_is_not_released_can_be_told_all_the_same(scores):
    assert export("gradescope", held(scores, NEVER), "--student", "ada", "--unreleased")[0] == 0


def test_the_instructors_tables_wait_for_nothing(scores):
    assert export("csv", held(scores, NEVER))[0] == 0


@pytest.mark.parametrize("policy", ["", "[assignments.toy]\nrelease = 1970-01-01T00:00:00\n"])
def test_what_no_policy_holds_back_is_told(policy, scores):
    assert export("gradescope", held(scores, policy), "--student", "ada")[0] == 0


def test_of_several_assignments_only_the_released_are_told(tmp_path):
    folder = made.folder(tmp_path, made.report("ada", made.exercise("a.x", 1.0), made.exercise("b.x", 3.0)))
    classes.Filled(folder / "gradebook.db")
    with classes.Filled(folder / "gradebook.db").book as book:
        facts = {f"assignment {name}": {"exercises": {f"{name}.x": {"points": 10.0}}} for name in ("a", "b")}
        classes.note_facts(book, facts)
    (folder / "policy.toml").write_text("[assignments.a]\nrelease = 1970-01-01T00:00:00\n", encoding="utf-8")
    _, out, said = export("gradescope", folder)
    assert json.loads(out)["score"] == 1.0
    assert said == "note: not released, so left out: b\n"


def test_who_handed_in_nothing_has_a_row_in_a_class_and_no_file(tmp_path):
    folder = made.folder(tmp_path / "scores", classes.two("ada", 4.9, 2.1))
    classes.counted(folder, {"ada": 7.0}, '[[groups]]\nmembers = ["ada", "../bo"]\n')
    assert '"../bo","",7.0' in export("csv", folder)[1]
    assert export("gradescope", folder, "--unreleased")[0] == 0
    export("gradescope", folder, "--unreleased", "--out", tmp_path / "out")
    assert [path.name for path in tmp_path.rglob("*.gradescope.json")] == ["ada.gradescope.json"]


def test_who_is_not_graded_yet_is_told(scores):
    summary = json.loads((scores / "summary.json").read_text("utf-8"))
    (scores / "summary.json").write_text(json.dumps(summary | {"not_graded": ["zoe"]}), encoding="utf-8")
    assert export("csv", scores)[2] == "note: not graded, so left out: zoe\n"


def test_help_lists_every_format_in_a_line():
    out = export("--help")[1]
    for name, each in FORMATS.items():
        assert f"{name} " in out
        assert each.HELP in out


def test_the_course_says_where_to_look_and_is_not_needed(tmp_path):
    folder = made.folder(tmp_path, classes.wrong())
    assert "line=6" in export("annotations", folder, "--course", tmp_path)[1]
