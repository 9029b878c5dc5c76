"""`grader gradebook` and the options of `grader grade` that belong to it, as they are typed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from grader.batch import watched
from grader.cli.main import cli
from grader.gradebook.book import FILE_NAME
from grader.model.errors import GraderError
from grader.pipeline import gather
from tests.e2e.toy import hand_in, toy_course
from tests.faults import tame

RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return 3 * x\n"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gather, "judged", tame.judge)
    made = toy_course(tmp_path / "course")
    hand_in(made, "ada", RIGHT)
    hand_in(made, "bob", WRONG)
    monkeypatch.chdir(made)
    return made


def ran(*words: object) -> str:
    """What a command prints on stdout; an error is raised."""
    done = CliRunner().invoke(cli, [*map(str, words)], standalone_mode=False)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def grade(*options: object) -> list[dict[str, Any]]:
    usual = ["class", "-a", "toy", "--out", "scores", "--isolation", "none", "--allow-weak-isolation", "-j", 1]
    return [json.loads(line) for line in ran("grade", *usual, "--json-lines", *options).splitlines()]


def test_a_program_is_told_of_each_submission_and_what_had_to_be_done(course: Path) -> None:
    first = {each["id"]: each for each in grade()}
    assert (first["ada"]["status"], first["ada"]["score"], first["ada"]["how"]) == ("passed", 10.0, "judged")
    assert (first["bob"]["status"], first["bob"]["score"], first["bob"]["why"]) == ("failed", 0.0, "new")
    assert Path(first["ada"]["report"]).is_file()
    assert {each["how"] for each in grade()} == {"left"}
    assert {each["why"] for each in grade("--force")} == {"forced"}


def test_a_gradebook_of_its_own_name_is_made_there(course: Path) -> None:
    grade("--gradebook", "term/autumn.db")
    assert (course / "term" / "autumn.db").is_file()
    assert not (course / "scores" / FILE_NAME).exists()
    assert ran("gradebook", "show", "term/autumn.db").splitlines() == ["ada  toy   10.00 / 10", "bob  toy    0.00 / 10"]


def test_late_days_are_counted_from_the_roster_in_the_zone_of_the_policy(course: Path) -> None:
    (course / "scores").mkdir()
    (course / "scores" / "policy.toml").write_text(
        'timezone = "Asia/Taipei"\n[late]\npercent_per_day = 10\n[assignments.toy]\ndue = 2026-10-01T23:59:00\n'
    )
    (course / "roster.csv").write_text("id,submitted\nada,2026-10-01T23:59:00\nbob,2026-10-01T15:59:00Z\n")
    grade("--roster", "roster.csv")
    assert ran("gradebook", "show", "scores", "--student", "ada") == "ada  toy   10.00 / 10\n"
    with (course / "scores" / "policy.toml").open("a") as policy:
        policy.write("[students.adah]\nbank_days = 1\n")
    said = CliRunner().invoke(cli, ["gradebook", "show", "scores"]).stderr
    assert said == "note: the policy names students who handed in nothing: adah\n"
    (course / "roster.csv").write_text("id,submitted\nada,2026-10-01T15:59:01Z\n")
    grade("--roster", "roster.csv")
    assert ran("gradebook", "show", "scores", "--student", "ada") == (
        "ada  toy    9.00 / 10  2 attempts; earned 10.00; 1 day late\n"
    )


def test_two_runs_of_one_gradebook_are_compared_and_two_gradebooks_too(course: Path) -> None:
    grade()
    (course / "class" / "bob" / "toy.py").write_text(RIGHT)
    later = (course / "class" / "bob" / "toy.py").stat().st_mtime + 5
    os.utime(course / "class" / "bob" / "toy.py", (later, later))
    grade()
    told = "bob  toy  0.00 / 10 (failed) -> 10.00 / 10 (passed)\n    toy.double: failed -> passed\n"
    assert ran("gradebook", "diff", "scores@1", "scores@2") == told
    assert ran("gradebook", "diff", "scores", "scores") == ""
    grade("--gradebook", "other.db")
    assert ran("gradebook", "diff", "scores@1", "other.db") == told


def test_a_decision_is_shown_with_who_and_why(course: Path) -> None:
    grade()
    ran(
        "gradebook",
        "override",
        "scores",
        "bob",
        "toy/toy.double",
        "--score",
        6,
        "--reason",
        "half right",
        "--author",
        "eva",
    )
    grade("--force")
    assert ran("gradebook", "show", "scores", "--student", "bob") == (
        "bob  toy    6.00 / 10  toy.double decided by eva: 6.00 (half right)\n"
    )
    ran("gradebook", "override", "scores", "bob", "toy/toy.double", "--withdraw", "--reason", "a mistake")
    assert ran("gradebook", "show", "scores", "--student", "bob") == "bob  toy    0.00 / 10\n"
    with pytest.raises(GraderError, match="exclude each other"):
        ran("gradebook", "override", "scores", "bob", "toy", "--withdraw", "--score", 1, "--reason", "x")
    with pytest.raises(click.MissingParameter, match="reason"):
        ran("gradebook", "override", "scores", "bob", "toy", "--score", 1)


@pytest.mark.parametrize("called", ["o'brien", "o%27brien"])
def test_a_student_may_be_called_as_they_are_or_as_their_reports_are(course: Path, called: str) -> None:
    hand_in(course, "o'brien", WRONG)
    grade()
    ran("gradebook", "override", "scores", called, "toy", "--score", 6, "--reason", "x", "--author", "eva")
    told = "o%27brien  toy    6.00 / 10  all of it decided by eva: 6.00 (x)\n"
    assert ran("gradebook", "show", "scores", "--student", called) == told
    ran("gradebook", "forget", "scores", called)
    assert "brien" not in ran("gradebook", "show", "scores")


def test_a_decision_about_somebody_who_handed_in_nothing_is_noted_and_told(course: Path) -> None:
    grade()
    words = ["gradebook", "override", "scores", "bobb", "toy", "--score", "1", "--reason", "x"]
    done = CliRunner().invoke(cli, words)
    assert (done.exit_code, "'bobb' handed in nothing; did you mean 'bob'?" in done.stderr) == (0, True)
    assert "bobb  toy    1.00 / 10" in ran("gradebook", "show", "scores")
    assert CliRunner().invoke(cli, [*words[:3], "bob", *words[4:]]).stderr == ""


def test_what_is_released_is_told_to_programs(course: Path) -> None:
    grade()
    assert json.loads(ran("gradebook", "show", "scores", "--json"))["released"] == []
    ran("gradebook", "release", "scores", "toy")
    assert json.loads(ran("gradebook", "show", "scores", "--json"))["released"] == ["toy"]


def test_what_programs_are_told_is_json_whatever_was_said(course: Path) -> None:
    grade()
    said = "##[error] \U000e0041"
    ran("gradebook", "override", "scores", "bob", "toy", "--comment", said, "--reason", "x", "--author", "eva")
    shown = json.loads(ran("gradebook", "show", "scores", "--json"))
    assert said in json.dumps(shown, ensure_ascii=False)


def test_a_student_is_forgotten_and_their_reports_are_named(course: Path) -> None:
    grade()
    (course / "scores" / "policy.toml").write_text("[students.ada]\nbank_days = 1\n")
    done = CliRunner().invoke(cli, ["gradebook", "forget", "scores", "ada"])
    assert "policy beside the gradebook names them" in done.stderr
    assert f"lie in {Path('scores', 'ada')}: delete that folder" in done.stderr
    assert ran("gradebook", "show", "scores") == "bob  toy    0.00 / 10\n"


def test_the_table_of_a_large_class_shows_what_is_not_as_it_was(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grade()
    monkeypatch.setattr(watched, "_SHOWN_WHOLE", 1)
    (course / "class" / "bob" / "toy.py").write_text(RIGHT)
    usual = ["class", "-a", "toy", "--out", "scores", "--isolation", "none", "--allow-weak-isolation"]
    said = CliRunner().invoke(cli, ["grade", *usual]).stderr
    assert "bob" in said
    assert "ada" not in said
    assert "1 judged (1 other files), 1 left as they were" in said
