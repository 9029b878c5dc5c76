"""Right answers in unlike styles get full marks through the real sandbox, and the bare template gets none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("assignment", ["attention", "context", "masking", "positions"])
def test_full_marks_for_every_right_answer_and_none_for_the_template(grade, tmp_path: Path, assignment: str) -> None:
    right = sorted((ROOT / "assignments" / assignment / "right_answers").glob("*.py"))
    sources = {path.stem: path for path in right} | {
        "the-reference": ROOT / "reference" / f"{assignment}.py",
        "the-template": ROOT / "student_template" / f"{assignment}.py",
    }
    for student, source in sources.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        shutil.copyfile(source, tmp_path / "class" / student / f"{assignment}.py")
    ran = grade(tmp_path / "class", "-a", assignment, "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    rows = {row["id"]: row for row in json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["submissions"]}
    template = rows.pop("the-template")
    assert template["score"] == 0
    assert set(template["exercises"].values()) == {"not_implemented"}
    assert {name: row["score"] for name, row in rows.items()} == {name: row["points"] for name, row in rows.items()}
    assert {row["status"] for row in rows.values()} == {"passed"}
