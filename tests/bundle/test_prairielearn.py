from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.bundle.make import make_bundle
from grader.course.locate import load_assignments
from tests.bundle.conftest import KEY, Bundle, toy
from tests.bundle.dockerfile import Dockerfile


def test_the_question_says_how_it_is_graded(bundle: Bundle) -> None:
    folder = bundle("prairielearn", "attention", "masking")
    info = json.loads((folder / "questions/attention-masking/info.json").read_bytes())
    options = info["externalGradingOptions"]
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", info["uuid"])
    assert options["enabled"] is True
    assert options["enableNetworking"] is False
    assert options["timeout"] <= 600
    assert (folder / "questions/attention-masking" / options["entrypoint"].removeprefix("/grade/")).is_file()
    assert f"docker build -t {options['image']} image" in (folder / "README.md").read_text("utf-8")
    page = (folder / "questions/attention-masking/question.html").read_text("utf-8")
    assert 'file-names="attention.py,masking.py"' in page


def test_files_in_folders_are_asked_for_in_an_archive(bundle: Bundle) -> None:
    page = (bundle("prairielearn", "homework11") / "questions/homework11/question.html").read_text("utf-8")
    assert 'file-names="submission.zip"' in page
    assert "run/metrics.csv" in page


def test_the_image_is_pinned_and_holds_no_test(bundle: Bundle) -> None:
    found = Dockerfile(bundle("prairielearn") / "image")
    found.check()
    assert sorted(path.suffix for path in found.folder.iterdir()) == ["", ".txt", ".whl"]


def test_the_page_shows_the_id_that_is_graded(bundle: Bundle) -> None:
    folder = bundle("prairielearn") / "questions/masking"
    names: dict[str, Any] = {}
    exec((folder / "server.py").read_text("utf-8"), names)  # noqa: S102  # it is ours
    data: dict[str, Any] = {"params": {}, "variant_seed": 4711}
    names["generate"](data)
    assert "{{params.student}}" in (folder / "question.html").read_text("utf-8")
    assert data["params"]["student"] == "pl4711"


@pytest.fixture
def grade(tmp_path: Path) -> Path:
    """/grade, with the submission that is right."""
    course, root = toy(tmp_path), tmp_path / "grade"
    make_bundle("prairielearn", load_assignments(course, []), tmp_path / "bundle", course_key=lambda: KEY)
    shutil.copytree(tmp_path / "bundle/questions/toy/tests", root / "tests")
    shutil.copytree(course / "class/ada", root / "student")
    (root / "data").mkdir()
    (root / "data/data.json").write_text(json.dumps({"params": {"student": "pl4711"}}), encoding="utf-8")
    return root


def run(root: Path, commands: dict[str, str]) -> dict[str, Any]:
    # PrairieLearn makes the entry point executable, and may be standing anywhere.
    (root / "tests/run.sh").chmod(0o755)
    env = commands | {"GRADE_ROOT": str(root)}
    ran = subprocess.run(
        [root / "tests/run.sh"], cwd=root / "student", env=env, capture_output=True, text=True, check=False
    )
    assert ran.stdout + ran.stderr == ""
    found: dict[str, Any] = json.loads((root / "results/results.json").read_bytes())
    return found


def test_a_submission_is_graded_even_where_its_files_are_named_like_pythons(
    grade: Path, commands: dict[str, str]
) -> None:
    (grade / "student/json.py").write_text("raise SystemExit(0)\n")
    (grade / "student/grader.py").write_text("raise SystemExit(0)\n")
    results = run(grade, commands)
    assert results["gradable"] is True
    assert results["score"] == 1.0


@pytest.mark.slow
def test_a_submission_may_be_an_archive(grade: Path, commands: dict[str, str]) -> None:
    shutil.make_archive(str(grade / "submission"), "zip", grade / "student")
    (grade / "student/toy.py").unlink()
    (grade / "submission.zip").rename(grade / "student/submission.zip")
    assert run(grade, commands)["score"] == 1.0


def test_a_fault_of_the_course_costs_no_attempt(grade: Path, commands: dict[str, str]) -> None:
    (grade / "tests/course/assignments/toy/tests.lock").unlink()
    results = run(grade, commands)
    assert results["gradable"] is False
    assert "score" not in results
    assert "not your fault" in results["format_errors"][0]
