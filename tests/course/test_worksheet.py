"""The numbers of a worksheet are the student's own, and the same wherever they are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.assignment import load_assignment
from grader.course.worksheet import load_worksheet, numbers_of, question_ids
from grader.model.errors import CourseError
from grader.model.worksheet import Section
from tests.e2e.toy_worksheet import worksheet_course

FIXED = {"rows": 2}
SECTION = Section.model_validate(
    {
        "id": "own",
        "title": {"en": "Own", "zh-TW": "自己的"},
        "numbers": FIXED,
        "draws": [
            {"names": ["heads", "width"], "rows": [[3, 33], [5, 55], [7, 77]]},
            {"names": ["length"], "rows": [[n] for n in range(100, 200)]},
        ],
    }
)


def numbers(student: str, assignment: str = "toy") -> dict[str, int]:
    return numbers_of(SECTION, assignment=assignment, student=student)


@given(st.text(max_size=40))
def test_whoever_the_student_is_the_numbers_are_of_the_rows_and_drawn_together(student):
    found = numbers(student)
    assert found == numbers(student)
    assert (found["heads"], found["width"]) in {(3, 33), (5, 55), (7, 77)}
    assert 100 <= found["length"] < 200
    assert found["rows"] == 2


def test_the_draw_never_changes_for_sheets_are_out():
    assert numbers("ada") == {"rows": 2, "heads": 7, "width": 77, "length": 166}
    assert numbers("王小明") == {"rows": 2, "heads": 5, "width": 55, "length": 174}


def test_students_and_assignments_draw_apart():
    assert len({tuple(numbers(f"student-{n}").values()) for n in range(60)}) > 40
    assert len({tuple(numbers("ada", f"sheet_{n}").values()) for n in range(60)}) > 40


def test_no_student_and_assignment_run_into_one_another():
    assert len({tuple(numbers("a" * n, "a" * (40 - n)).values()) for n in range(1, 40)}) > 25


def home(folder: Path) -> Path:
    return worksheet_course(folder) / "assignments" / "toy"


def test_the_questions_of_a_suite_are_those_of_its_assignment(tmp_path):
    suite = home(tmp_path) / "hidden" / "test_sheet.py"
    assert question_ids(str(suite)) == ["small.matrix", "small.cells", "own.matrix", "own.cells"]
    assert question_ids(suite, "own") == ["own.matrix", "own.cells"]


def test_a_worksheet_without_questions_is_the_course_s_fault(tmp_path):
    folder = home(tmp_path)
    (folder / "worksheet.toml").unlink()
    with pytest.raises(CourseError, match=r"worksheet\.toml: there is no such file"):
        load_worksheet(load_assignment(folder))


def test_questions_that_no_exercise_asks_are_the_course_s_fault(tmp_path):
    folder = home(tmp_path)
    path = folder / "assignment.toml"
    text = path.read_text("utf-8").replace(', "answers.toml"]', "]")
    path.write_text(text[: text.rindex("[[exercises]]")], encoding="utf-8")
    with pytest.raises(CourseError, match="no exercise is a worksheet"):
        load_worksheet(load_assignment(folder))
    (folder / "worksheet.toml").unlink()
    assert load_worksheet(load_assignment(folder)) is None


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('id = "own"', 'id = "student"', "no section can be called 'student'"),
        ("of {rows} rows", "of {rows.foo} rows", "small.matrix: {rows.foo} is no number of the section: write {rows}"),
        ("rows = 2,", 'rows = "2",', "should be a valid integer"),
        ("draws = [", "draw = [", "unknown key `sections[1].draw`; did you mean `draws`?"),
    ],
)
def test_what_is_wrong_with_the_questions_is_told_with_the_file_and_what_describes_it(tmp_path, right, wrong, said):
    folder = home(tmp_path)
    path = folder / "worksheet.toml"
    path.write_text(path.read_text("utf-8").replace(right, wrong, 1), encoding="utf-8")
    for read in (lambda: load_worksheet(load_assignment(folder)), lambda: question_ids(folder / "hidden" / "a.py")):
        with pytest.raises(CourseError, match=re.escape(said)) as raised:
            read()
        assert raised.value.where == path
        assert raised.value.hint == "`grader schema worksheet` prints what is allowed"
        assert raised.value.exit_code == 3
