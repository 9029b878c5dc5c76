from __future__ import annotations

import pytest

from grader.author.lint import lint
from grader.author.new import new_assignment
from grader.course.locate import load_assignments
from grader.course.lock import LockedTest, write_lock
from grader.model.verdict import Suite, Tier

VISIBLE = LockedTest(Suite.VISIBLE, Tier.CORE, "norms.center_rows", "visible/test_center_rows.py::test_a")
HIDDEN = LockedTest(Suite.HIDDEN, Tier.CORE, "norms.center_rows", "hidden/test_center_rows.py::test_a")


@pytest.fixture
def folder(tmp_path):
    new_assignment(tmp_path, "norms", "")
    write_lock(tmp_path / "assignments" / "norms" / "tests.lock", [VISIBLE, HIDDEN])
    return tmp_path / "assignments" / "norms"


def found(folder):
    return lint(load_assignments(folder.parent.parent, ["norms"])[0])


def change(folder, file, old, new):
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def test_an_assignment_that_has_all_lacks_nothing(folder):
    assert found(folder) == []


@pytest.mark.parametrize(("test", "said"), [(VISIBLE, "hidden"), (HIDDEN, "visible")])
def test_an_exercise_has_a_test_in_each_suite(folder, test, said):
    write_lock(folder / "tests.lock", [test])
    assert found(folder) == [f"norms.center_rows has no {said} test"]


def test_an_exercise_has_a_misconception(folder):
    (folder / "misconceptions.py").write_text("", encoding="utf-8")
    assert found(folder) == ["norms.center_rows has no misconception"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("handout.md", "100 points, about", "90 points, about", "tells 90 points, and is worth 100"),
        ("handout.md", ", about 15 minutes. Every", ". Every", "tells no minutes"),
        ("handout.md", "2. *Shape.*", "2. Shape:", "lacks the three hints Idea, Shape, Step"),
        ("handout.zh-TW.md", "3. *步驟。*", "3.", "lacks the three hints 概念, 形狀, 步驟"),
    ],
)
def test_both_handouts_tell_points_minutes_and_three_hints(folder, file, old, new, said):
    change(folder, file, old, new)
    assert found(folder) == [f"{file}: norms.center_rows {said}"]


def test_a_handout_that_is_missing_or_lacks_an_exercise_is_told(folder):
    (folder / "handout.zh-TW.md").unlink()
    change(folder, "handout.md", "### 1.", "###")
    assert found(folder) == [
        "handout.md has 0 exercises (headings `### 1. ...`), and the manifest 1",
        "handout.zh-TW.md is missing",
    ]
