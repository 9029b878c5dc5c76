from __future__ import annotations

import re

import pytest

from grader.course.locate import load_assignments
from grader.kit.handout import HINTS, hints
from grader.model.errors import CourseError
from tests.conftest import ROOT

LESSONS = load_assignments(ROOT, ())


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("assignment", LESSONS, ids=lambda each: each.id)
def test_each_exercise_of_the_unit_has_its_three_hints_on_a_line_each(assignment, language) -> None:
    for exercise in assignment.manifest.exercises:
        found = hints(assignment, exercise.id, language)
        assert tuple(label for label, _ in found) == HINTS[language]
        assert all(text and "\n" not in text for _, text in found)


def test_a_line_that_breaks_within_chinese_text_is_joined_without_a_space() -> None:
    [attention] = load_assignments(ROOT, ["attention"])
    for exercise in attention.manifest.exercises:
        for _, text in hints(attention, exercise.id, "zh-TW"):
            assert not re.search(r"[一-鿿] [一-鿿]", text), text


def test_a_handout_of_other_exercises_is_the_courses_fault(tmp_path) -> None:
    [attention] = load_assignments(ROOT, ["attention"])
    home = tmp_path / "assignments" / "attention"
    home.mkdir(parents=True)
    (home / "assignment.toml").write_bytes((attention.folder / "assignment.toml").read_bytes())
    [copy] = load_assignments(tmp_path, ["attention"])
    with pytest.raises(CourseError, match="cannot be read"):
        hints(copy, "attention.softmax", "en")
    (home / "handout.md").write_text("### 1. `softmax` · 5 points\n\n- *Idea:* think.\n", encoding="utf-8")
    with pytest.raises(CourseError, match="1 exercises, and the manifest 9"):
        hints(copy, "attention.softmax", "en")
