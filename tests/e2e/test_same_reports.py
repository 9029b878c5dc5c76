"""Reports are the same, timings aside, whatever the number of slots, the order, or the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.hostile import hand_in, replacing, right_answer

STUDENTS = {
    "ann": right_answer(),
    "bob": replacing("attention_scores", "import numpy as np\nQ, K = args\nreturn Q @ np.swapaxes(K, -1, -2)"),
    "cat": replacing("softmax", "import os; os._exit(3)"),
    "dan": "def softmax(x:\n",
}


def reports(out: Path) -> dict[str, object]:
    found = {}
    for path in sorted(out.rglob("*.json")):
        content = json.loads(path.read_text("utf-8"))
        content.pop("timings", None)
        found[path.relative_to(out).as_posix()] = content
    return found


@pytest.fixture
def submissions(tmp_path: Path) -> list[Path]:
    return [hand_in(tmp_path / "class", student, source) for student, source in STUDENTS.items()]


def test_slots_order_and_run_make_no_difference(grade, tmp_path: Path, submissions: list[Path]) -> None:
    ways = {
        "one-slot": (["-j", "1"], submissions),
        "two-slots": (["-j", "2"], submissions),
        "reversed": (["-j", "2"], submissions[::-1]),
    }
    for name, (options, paths) in ways.items():
        ran = grade(*paths, "--one", "-a", "attention", "--out", tmp_path / name, *options)
        assert ran.returncode == 0, ran.stderr
    first = reports(tmp_path / "one-slot")
    assert len(first) == 2 * len(STUDENTS) + 1
    assert reports(tmp_path / "two-slots") == first
    assert reports(tmp_path / "reversed") == first
