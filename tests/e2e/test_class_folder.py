"""What a run says of the folders it was given: what it left out, and what it did not write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.toy import hand_in, toy_course

RIGHT = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course")


def test_loose_files_are_told_and_stand_in_the_summary(grade, toy: Path, tmp_path: Path) -> None:
    submissions = hand_in(toy, "ada", RIGHT)
    for name in ("bob_toy.py", "carl.py", ".DS_Store"):
        (submissions / name).write_text(RIGHT)
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=toy)
    assert ran.returncode == 0, ran.stderr
    assert "2 files in" in ran.stderr
    assert "left out: bob_toy.py, carl.py; put each in a folder of its student" in ran.stderr
    assert ran.stderr.endswith(f"reports in {tmp_path / 'out'}/\n")
    summary = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))
    assert summary["left_out"] == ["bob_toy.py", "carl.py"]
    assert [row["id"] for row in summary["submissions"]] == ["ada"]


def test_a_run_beside_reports_of_others_names_them(grade, toy: Path, tmp_path: Path) -> None:
    for student in ("ada", "bob", "cy"):
        submissions = hand_in(toy, student, RIGHT)
    out = tmp_path / "out"
    first = grade(submissions, "-a", "toy", "--out", out, "--student", "bob", "--student", "cy", cwd=toy)
    assert "earlier run" not in first.stderr
    second = grade(submissions, "-a", "toy", "--out", out, "--student", "ada", cwd=toy)
    assert f"{out} holds reports of an earlier run: bob, cy; they are not in this summary" in second.stderr


def test_both_modes_at_once_are_refused(grade, toy: Path, tmp_path: Path) -> None:
    submissions = hand_in(toy, "ada", RIGHT)
    ran = grade(submissions, "--one", "--class", "-a", "toy", "--out", tmp_path / "out", cwd=toy)
    assert ran.returncode == 2
    assert "--one and --class exclude each other" in ran.stderr
    assert not (tmp_path / "out").exists()
