from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT
from tests.e2e.hostile import hand_in, replacing


@pytest.fixture
def graded(grade, tmp_path: Path) -> Path:
    hand_in(tmp_path / "class", "ann", replacing("attention_backward", "print('hello')\nreturn 0.0"))
    ran = grade(tmp_path / "class", "-a", "attention", "-a", "masking", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    return tmp_path / "out"


def schema(grader, what: str) -> dict:
    ran = grader("schema", what)
    assert ran.returncode == 0
    found = json.loads(ran.stdout)
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def test_what_is_written_fits_the_published_schemas(grader, graded: Path) -> None:
    for what, path in (
        ("report", "ann/report.json"),
        ("student", "ann/report.student.json"),
        ("summary", "summary.json"),
    ):
        jsonschema.validate(json.loads((graded / path).read_text("utf-8")), schema(grader, what))


def test_the_manifests_fit_theirs(grader, course: Path) -> None:
    import tomllib

    for path in (course / "assignments").glob("*/assignment.toml"):
        jsonschema.validate(tomllib.loads(path.read_text("utf-8")), schema(grader, "manifest"))


def test_a_test_is_run_again_from_the_report_alone(grader, graded: Path) -> None:
    report = json.loads((graded / "ann/report.json").read_text("utf-8"))
    exercises = {exercise["id"]: exercise for exercise in report["assignments"][0]["exercises"]}
    for exercise, status in (("attention.backward", "failed"), ("attention.softmax", "passed")):
        hidden = next(
            test for test in exercises[exercise]["tests"] if test["suite"] == "hidden" and test["status"] == status
        )
        ran = grader("replay", graded / "ann/report.json", hidden["id"])
        assert ran.returncode == 0, ran.stderr
        assert f"seed {hidden['seed']}" in ran.stdout
        assert f"now:    {status}" in ran.stdout
        assert hidden["message"] in ran.stdout


def test_a_students_report_cannot_be_replayed(grader, graded: Path) -> None:
    ran = grader("replay", graded / "ann/report.student.json", "x")
    assert ran.returncode == 2
    assert "not an instructor's report" in ran.stderr


def test_two_assignments_make_one_report(graded: Path) -> None:
    report = json.loads((graded / "ann/report.json").read_text("utf-8"))
    assert [assignment["id"] for assignment in report["assignments"]] == ["attention", "masking"]
    assert {exercise["status"] for exercise in report["assignments"][1]["exercises"]} == {"import_error"}
    assert report["points"] == 160
    assert ROOT.name
