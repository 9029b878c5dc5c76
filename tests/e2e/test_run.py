"""A class that hands in what its programs wrote, graded once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.course.locate import load_assignments
from grader.kit.check import check
from grader.kit.make import make_kit
from tests.e2e.toy_run import CORPUS, RIGHT, hand_in, run_course

CLASS = {
    "all-right": RIGHT,
    "tripled": RIGHT | {"run/numbers.csv": "x,y\n1,3\n2,6\n"},
    "of-other-code": RIGHT | {"run/numbers.csv": "x,y\n1,2\n2,5\n"},
    "divides-by-zero": RIGHT | {"run/numbers.csv": "x,y\n0,0\n"},
    "no-run": {"toy.py": RIGHT["toy.py"]},
    "too-large": RIGHT | {"run/numbers.csv": "x,y\n" + "1,2\n" * 2000},
    "run-alone": {name: text for name, text in RIGHT.items() if name != "toy.py"},
}


def run(course: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, its class graded."""
    home = run_course(tmp_path_factory.mktemp("run"))
    for student, files in CLASS.items():
        hand_in(home, student, files)
    ran = run(home, "grade", "class", "-a", "toy", "--out", "scores", "--seed-key", "key")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return home


def assignment(course: Path, student: str, kind: str = "report") -> Any:
    report = json.loads((course / "scores" / student / f"{kind}.json").read_text("utf-8"))
    return report["assignments"][0]


@pytest.mark.parametrize(
    ("student", "double", "status", "score"),
    [
        ("all-right", 10, "passed", 5),
        ("tripled", 10, "failed", 0),
        ("of-other-code", 10, "failed", 0),
        ("divides-by-zero", 10, "failed", 0),
        ("no-run", 10, "not_implemented", 0),
        ("too-large", 10, "import_error", 0),
        ("run-alone", 0, "import_error", 0),
    ],
)
def test_a_run_earns_what_its_tests_find_and_the_code_beside_it_its_own(course, student, double, status, score) -> None:
    code, judged = assignment(course, student)["exercises"]
    assert code["score"] == double
    assert (judged["status"], judged["score"]) == (status, score)


def test_a_student_reads_what_the_visible_tests_say_of_the_run(course) -> None:
    tests = assignment(course, "tripled", "report.student")["exercises"][1]["tests"]
    assert "y is three times x" in [test["message"] for test in tests]


def test_what_is_missing_or_too_large_is_told_to_the_student(course) -> None:
    assert assignment(course, "no-run", "report.student")["exercises"][1]["message"] == "still to do: run/numbers.csv"
    assert "larger than 4 KiB" in assignment(course, "too-large", "report.student")["exercises"][1]["message"]


def test_an_answer_in_words_reaches_the_instructor_and_earns_nothing(course) -> None:
    [answer] = assignment(course, "all-right")["collected"]
    assert (answer["file"], answer["text"]) == ("answers.md", "Twice.\n")
    assert assignment(course, "no-run")["collected"][0]["text"] == ""


def test_a_test_of_a_run_can_be_run_again_from_the_report_alone(course) -> None:
    report = "scores/tripled/report.json"
    ran = run(course, "replay", report, "hidden/test_run.py::test_y_is_twice_x")
    assert "y is three times x" in ran.stdout


def test_a_kit_has_the_data_and_checks_a_run(course, tmp_path) -> None:
    make_kit(tmp_path / "kit", load_assignments(course, ["toy"]))
    home = tmp_path / "kit" / "assignments" / "toy"
    assert (home / "data" / "corpus.txt").read_text("utf-8") == CORPUS
    assert not (home / "right_run").exists()
    [kit] = load_assignments(tmp_path / "kit", ["toy"])
    [found] = check(kit, ["toy.run"], course / "class" / "tripled")
    assert "y is three times x" in [test.message for test in found.tests]
