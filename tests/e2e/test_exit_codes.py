"""Exit codes: 0 graded, 1 below --fail-under, 2 usage, 3 the course, 4 ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.toy import TEST, hand_in, toy_course


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course")


def run(grade, toy: Path, tmp_path: Path, *options: str, source: str = "def double(x):\n    return x\n"):
    return grade(hand_in(toy, "ann", source), "-a", "toy", "--out", tmp_path / "out", *options, cwd=toy)


def test_a_low_score_is_no_failure_of_the_command(grade, toy: Path, tmp_path: Path) -> None:
    assert run(grade, toy, tmp_path).returncode == 0


def test_fail_under_makes_it_one(grade, toy: Path, tmp_path: Path) -> None:
    assert run(grade, toy, tmp_path, "--fail-under", "50").returncode == 1


def test_a_lock_that_does_not_fit_its_suite_is_the_courses_fault(grade, toy: Path, tmp_path: Path) -> None:
    extra = TEST + "\n\n@core\ndef test_more(submission):\n    pass\n"
    (toy / "assignments/toy/hidden/test_double.py").write_text(extra, encoding="utf-8")
    ran = run(grade, toy, tmp_path)
    assert ran.returncode == 3
    assert "test_more" in ran.stderr
    assert "verify --lock" in ran.stderr


def test_a_manifest_with_a_typo_names_file_key_and_remedy(grade, toy: Path, tmp_path: Path) -> None:
    path = toy / "assignments/toy/assignment.toml"
    path.write_text(path.read_text("utf-8").replace("points", "pionts"), encoding="utf-8")
    ran = run(grade, toy, tmp_path)
    assert ran.returncode == 3
    assert "assignment.toml:8" in ran.stderr
    assert "did you mean `points`" in ran.stderr


def test_a_broken_test_is_ours_and_costs_no_points(grade, toy: Path, tmp_path: Path) -> None:
    broken = TEST.replace("np.arange(3.0)", "np.arrange(3.0)")
    (toy / "assignments/toy/hidden/test_double.py").write_text(broken, encoding="utf-8")
    ran = run(grade, toy, tmp_path, source="def double(x):\n    return 2 * x\n")
    assert ran.returncode == 4
    report = json.loads((tmp_path / "out/ann/report.json").read_text("utf-8"))
    assert report["status"] == "grader_error"
    assert report["score"] is None
    assert "this is not your fault" in (tmp_path / "out/ann/report.student.json").read_text("utf-8")


def test_an_output_folder_that_cannot_be_written_is_told(grade, toy: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    ran = run(grade, toy, tmp_path)
    assert ran.returncode in (2, 4)
    assert "Traceback" not in ran.stderr
