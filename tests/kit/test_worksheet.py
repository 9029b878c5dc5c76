"""The blank worksheet: the questions with a student's numbers, and no file with answers in it is lost."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.assignment import Assignment, load_assignment
from grader.intake.ids import safe_id, student_id
from grader.kit.make import make_kit
from grader.kit.worksheet import blank, write
from grader.model.errors import UsageError
from tests.e2e.toy_worksheet import worksheet_course


@pytest.fixture
def toy(tmp_path: Path) -> Assignment:
    return load_assignment(worksheet_course(tmp_path / "course") / "assignments" / "toy")


@pytest.fixture
def kit(toy: Assignment, tmp_path: Path) -> Assignment:
    toy.fingerprints.write_text("{}", encoding="utf-8")
    make_kit(tmp_path / "kit", [toy])
    return load_assignment(tmp_path / "kit" / "assignments" / "toy")


def test_a_blank_is_toml_that_asks_every_question_and_answers_none(toy):
    sheet = blank([toy], "ada", "en")
    assert sheet.name == "answers.toml"
    assert tomllib.loads(sheet.text) == {
        "student": "ada",
        "small": {"matrix": "", "cells": ""},
        "own": {"matrix": "", "cells": ""},
    }
    assert "# rows = 2, columns = 3\n" in sheet.text
    assert '# The shape of a matrix of 2 rows\nmatrix = ""\n' in sheet.text


def test_the_languages_ask_the_same_of_the_same_numbers(toy):
    en, zh = (blank([toy], "ada", language).text for language in ("en", "zh-TW"))
    assert tomllib.loads(en) == tomllib.loads(zh)
    assert "# 2 列矩陣的形狀" in zh
    numbers = [[line for line in text.splitlines() if line.startswith("# rows = ")] for text in (en, zh)]
    assert numbers[0] == numbers[1]
    assert len(numbers[0]) == 2


def test_two_students_find_different_numbers(toy):
    assert len({blank([toy], f"student-{n}", "en").text.replace(f"student-{n}", "") for n in range(30)}) > 15


def test_a_kit_writes_the_sheet_that_its_course_would(toy, kit):
    assert blank([kit], "ada", "en").text == blank([toy], "ada", "en").text
    assert not (kit.course / "reference").exists()
    assert not (kit.course / "student_template" / "answers.toml").exists()


@given(st.text(st.characters(exclude_characters="%"), min_size=1, max_size=30))
def test_any_id_gives_toml_with_the_id_that_the_submission_will_have(name):
    assert safe_id(name) == student_id(name) == student_id(safe_id(name))
    home = Path(__file__).parents[2] / "assignments" / "shapes"
    assert tomllib.loads(blank([load_assignment(home)], name, "zh-TW").text)["student"] == student_id(name)


@pytest.mark.parametrize("name", ["ada@uni", "-ada", "con", "a/b", "a" * 300, "\u202eada", "王 小明"])
def test_a_name_and_the_id_that_reports_tell_of_it_are_one_student(name):
    assert student_id(name) == student_id(safe_id(name)) == safe_id(name)


def test_where_no_place_is_named_a_kit_has_it_beside_the_templates(kit, tmp_path):
    assert write(blank([kit], "ada", "en"), None, kit.course, force=False) == (
        kit.course / "student_template" / "answers.toml"
    )
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "toy.py").write_text("")
    assert write(blank([kit], "ada", "en"), None, mine, force=False) == mine / "answers.toml"


def test_a_course_has_no_place_for_it_for_there_it_would_be_taken_for_a_student_s_file(toy, tmp_path):
    for here in (toy.course, tmp_path):
        with pytest.raises(UsageError, match="the course and no student's kit") as raised:
            write(blank([toy], "ada", "en"), None, here, force=True)
        assert "--out" in raised.value.hint
        assert not (here / "answers.toml").exists()
    assert not (toy.course / "student_template" / "answers.toml").exists()
    assert write(blank([toy], "ada", "en"), tmp_path / "ada.toml", toy.course, force=False) == tmp_path / "ada.toml"


def test_a_sheet_that_may_hold_answers_is_not_overwritten_unless_forced(toy, tmp_path):
    sheet, path = blank([toy], "ada", "en"), tmp_path / "answers.toml"
    write(sheet, path, tmp_path, force=False)
    write(sheet, path, tmp_path, force=False)  # it is as blank as before
    path.write_text(sheet.text.replace('cells = ""', "cells = 6", 1), encoding="utf-8")
    before = path.read_text("utf-8")
    with pytest.raises(UsageError, match="may hold answers") as raised:
        write(sheet, path, tmp_path, force=False)
    assert "--force" in raised.value.hint
    assert path.read_text("utf-8") == before
    write(sheet, path, tmp_path, force=True)
    assert path.read_text("utf-8") == sheet.text


def test_without_a_worksheet_and_with_several_it_says_so(toy, course):
    with pytest.raises(UsageError, match="no assignment has a worksheet"):
        blank([load_assignment(course / "assignments" / "masking")], "ada", "en")
    with pytest.raises(UsageError, match="several assignments have a worksheet: toy, toy") as raised:
        blank([toy, toy], "ada", "en")
    assert "-a" in raised.value.hint
