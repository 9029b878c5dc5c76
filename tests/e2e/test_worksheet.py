"""A class with worksheets, graded once: what each student reads, and what the instructor can run again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.course.assignment import load_assignment
from grader.course.worksheet import load_worksheet, numbers_of
from tests.e2e.toy_worksheet import RIGHT, sheet_of, worksheet_course


class Class(NamedTuple):
    """A graded class."""

    course: Path
    told: str

    def report(self, student: str, kind: str = "report") -> Any:
        return json.loads((self.course / "scores" / student / f"{kind}.json").read_text("utf-8"))

    def exercise(self, student: str, kind: str = "report", exercise: str = "toy.sheet") -> Any:
        exercises = self.report(student, kind)["assignments"][0]["exercises"]
        return next(each for each in exercises if each["id"] == exercise)

    def statuses(self, student: str) -> dict[str, str]:
        """The questions by name, as the student reads them."""
        tests = self.exercise(student, "report.student")["tests"]
        return {test["name"]: test["status"] for test in tests if test["suite"] == "hidden"}


def run(course: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, timeout=300)


def own(course: Path, student: str) -> tuple[int, int]:
    sheet = load_worksheet(load_assignment(course / "assignments" / "toy"))
    assert sheet
    numbers = numbers_of(sheet.question("own.cells")[0], assignment="toy", student=student)
    return numbers["rows"], numbers["columns"]


def sheets(course: Path) -> dict[str, str | None]:
    """What each student hands in."""
    rows, columns = own(course, "all-right")
    swapped, added = own(course, "swapped"), own(course, "two-mistakes")
    other = own(course, "borrowed")
    small = {"small_matrix": [2, 3], "small_cells": 6}
    return {
        "all-right": sheet_of(course, "all-right", own_matrix=[rows, columns], own_cells=rows * columns, **small),
        "swapped": sheet_of(course, "swapped", own_matrix=[*swapped[::-1]], own_cells=swapped[0] * swapped[1], **small),
        "two-mistakes": sheet_of(
            course, "two-mistakes", own_matrix=[*added[::-1]], own_cells=sum(added), small_matrix=[2, 3], small_cells=5
        ),
        "half-done": sheet_of(course, "half-done", small_matrix=[2, 3]),
        "blank": sheet_of(course, "blank"),
        "borrowed": sheet_of(course, "somebody", own_matrix=[*other], own_cells=other[0] * other[1], **small),
        "no-toml": sheet_of(course, "no-toml", small_matrix="(2, 3)"),
        "too-large": sheet_of(course, "too-large", **small) + "# \n" * 2**19,
        "missing": None,
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    course = worksheet_course(tmp_path_factory.mktemp("course"))
    locked = run(course, "verify", "toy", "--lock")
    assert locked.returncode == 0, locked.stdout + locked.stderr
    for student, sheet in sheets(course).items():
        home = course / "class" / student
        home.mkdir(parents=True)
        (home / "toy.py").write_text(RIGHT, encoding="utf-8")
        if sheet is not None:
            (home / "answers.toml").write_text(sheet, encoding="utf-8")
    ran = run(course, "grade", "class", "-a", "toy", "--out", "scores", "--allow-weak-isolation")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return Class(course, ran.stdout + ran.stderr)


@pytest.mark.parametrize(
    ("student", "status", "score"),
    [
        ("all-right", "passed", 8),
        ("swapped", "partial", 6),
        ("two-mistakes", "partial", 2),
        ("half-done", "partial", 2),
        ("blank", "not_implemented", 0),
        ("borrowed", "import_error", 0),
        ("no-toml", "import_error", 0),
        ("too-large", "import_error", 0),
        ("missing", "import_error", 0),
    ],
)
def test_each_question_earns_its_own_part(graded, student, status, score):
    assert (graded.exercise(student)["status"], graded.exercise(student)["score"]) == (status, score)


def test_what_is_wrong_with_a_worksheet_costs_nothing_elsewhere(graded):
    for student in sheets(graded.course):
        assert graded.exercise(student, exercise="toy.double")["score"] == 10


def test_a_wrong_order_of_axes_is_named_as_such(graded):
    told = graded.exercise("swapped", "report.student")
    assert told["diagnosis"]["misconceptions"] == ["toy.sheet/columns-first"]
    assert told["diagnosis"]["questions"] == ["own.matrix"]
    assert told["also"] == []


def test_two_mistakes_on_one_sheet_are_both_named_each_with_its_questions(graded):
    told = graded.exercise("two-mistakes", "report.student")
    named = {each["misconceptions"][0]: each["questions"] for each in (told["diagnosis"], *told["also"])}
    assert named == {"toy.sheet/sum": ["small.cells", "own.cells"], "toy.sheet/columns-first": ["own.matrix"]}
    assert "columns-first" in graded.told


def test_a_student_reads_which_question_is_right_and_which_is_blank_and_no_right_answer(graded):
    assert graded.statuses("half-done") == {
        "small.matrix": "passed",
        "small.cells": "not_implemented",
        "own.matrix": "not_implemented",
        "own.cells": "not_implemented",
    }
    rows, columns = own(graded.course, "half-done")
    assert str([rows, columns]) not in json.dumps(graded.report("half-done", "report.student"))
    swapped = own(graded.course, "swapped")
    assert f"expected {[*swapped]}" not in json.dumps(graded.report("swapped", "report.student"))


@pytest.mark.parametrize(
    ("student", "message"),
    [
        ("borrowed", "this worksheet is for somebody, not for borrowed: its numbers are not yours"),
        ("no-toml", "not valid TOML"),
        ("missing", "there is no answers.toml: `grader worksheet missing` writes it"),
        ("too-large", "answers.toml: it is larger than 1024 KiB; only your answers belong in it, no data"),
        ("blank", "still to do: toy.sheet"),
    ],
)
def test_why_a_whole_worksheet_earned_nothing_is_told_to_its_student(graded, student, message):
    assert message in graded.exercise(student, "report.student")["message"]


def test_any_question_is_run_again_from_the_report_alone(graded, tmp_path):
    report = tmp_path / "report.json"
    report.write_bytes((graded.course / "scores" / "swapped" / "report.json").read_bytes())
    for question, verdict in (("own.matrix", "failed"), ("own.cells", "passed")):
        ran = run(
            graded.course, "replay", report, f"hidden/test_sheet.py::test_answer[{question}]", "--allow-weak-isolation"
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert ran.stdout.count(verdict) == 2


def test_in_a_kit_a_student_writes_the_sheet_and_checks_it(graded, tmp_path):
    kit = tmp_path / "kit"
    assert run(graded.course, "new", kit, "-a", "toy").returncode == 0
    assert run(kit, "worksheet", "ada").stdout == f"{kit}/student_template/answers.toml\n"
    path = kit / "student_template" / "answers.toml"
    text = path.read_text("utf-8").replace('cells = ""', "cells = 5", 1).replace('matrix = ""', "matrix = [3, 2]", 1)
    path.write_text(f"{text}\n[owm]\ncells = 6\n", encoding="utf-8")
    ran = run(kit, "check", "toy.sheet")
    assert ran.returncode == 1
    assert "    => small.matrix: columns first" in ran.stdout
    assert "    => small.cells: sum" in ran.stdout
    assert (
        "    own.cells, own.matrix: still blank\n    [owm] is no section of the worksheet: did you mean [own]?"
        in ran.stdout
    )
    assert "[3, 2] has the right sizes, but its axes are in the wrong order" in ran.stdout
