"""Right answers in unlike styles get full marks through the real sandbox, and the bare template gets none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.course.worksheet import load_worksheet, numbers_of
from grader.kit.worksheet import blank
from reference.answers import answer
from tests.conftest import ROOT


def write_sheet(home: Path, assignment: str, *, answered: bool) -> None:
    """Write the student's worksheet, where the assignment has one: with the right answers, or blank."""
    loaded = load_assignment(ROOT / "assignments" / assignment)
    questions = load_worksheet(loaded)
    if questions is None:
        return
    text = blank([loaded], home.name, "en").text
    for section in questions.sections if answered else ():
        numbers = numbers_of(section, assignment=assignment, student=home.name)
        head, mark, rest = text.partition(f"[{section.id}]\n")
        for asked in (each for each in questions.questions if section.id in each.sections):
            rest = rest.replace(
                f'{asked.name} = ""', f"{asked.name} = {answer(f'{section.id}.{asked.name}', **numbers)}", 1
            )
        text = head + mark + rest
    (home / "answers.toml").write_text(text, encoding="utf-8")


# `grader verify` tries all of them in its own process; one, which has a worksheet too, shows what a sandbox adds.
ARRAYS, TENSORS = (
    ("attention", "context", "efficient", "masking", "positions"),
    ("layers", "gpt2", "generation", "training", "interpret"),
)
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in (*ARRAYS, *TENSORS)]


@pytest.mark.parametrize("assignment", ["shapes", *SLOW])
def test_full_marks_for_every_right_answer_and_none_for_the_template(grade, tmp_path: Path, assignment: str) -> None:
    right = sorted((ROOT / "assignments" / assignment / "right_answers").glob("*.py"))
    sources = {path.stem: path for path in right} | {
        "the-reference": ROOT / "reference" / f"{assignment}.py",
        "the-template": ROOT / "student_template" / f"{assignment}.py",
    }
    for student, source in sources.items():
        home = tmp_path / "class" / student
        home.mkdir(parents=True)
        for earlier in load_assignment(ROOT / "assignments" / assignment).manifest.files[:-1]:
            shutil.copyfile(ROOT / "reference" / earlier, home / earlier)
        shutil.copyfile(source, home / f"{assignment}.py")
        write_sheet(home, assignment, answered=student != "the-template")
    ran = grade(tmp_path / "class", "-a", assignment, "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    rows = {row["id"]: row for row in json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["submissions"]}
    template = rows.pop("the-template")
    assert template["score"] == 0
    assert set(template["exercises"].values()) == {"not_implemented"}
    assert {name: row["score"] for name, row in rows.items()} == {name: row["points"] for name, row in rows.items()}
    assert {row["status"] for row in rows.values()} == {"passed"}
    reports = [json.loads((tmp_path / "out" / row["report"]).read_text("utf-8")) for row in rows.values()]
    exercises = [each for report in reports for found in report["assignments"] for each in found["exercises"]]
    assert {each["diagnosis"] is None for each in exercises} == {True}
