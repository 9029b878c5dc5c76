from __future__ import annotations

import tomllib

import pytest

from grader.judge.sheet import Sheet, missing, strangers, whose
from grader.model.errors import CourseError
from grader.model.verdict import Status
from grader.model.worksheet import Worksheet
from grader.testing.student import Cause, StudentError
from tests.e2e.toy_worksheet import QUESTIONS

TOY = Worksheet.model_validate(tomllib.loads(QUESTIONS))


def test_numbers_are_those_of_whoever_owns_the_sheet():
    ada, bo = Sheet(TOY, "toy", lambda: "ada"), Sheet(TOY, "toy", lambda: "bo")
    assert ada.numbers("small.cells") == bo.numbers("small.cells") == {"rows": 2, "columns": 3}
    assert {Sheet(TOY, "toy", lambda n=n: f"s{n}").numbers("own.cells")["rows"] for n in range(40)} > {5, 7, 11}
    assert ada.numbers("own.cells") == ada.numbers("own.matrix")
    assert ada.question("own.matrix").axes == 2


def test_a_question_that_is_not_asked_is_the_test_s_mistake():
    with pytest.raises(CourseError, match=r"does not ask 'own\.trace'"):
        Sheet(TOY, "toy", lambda: "ada").numbers("own.trace")


def test_what_keeps_the_owner_from_being_known_is_told_as_it_is():
    def unknown() -> str:
        raise StudentError(Status.IMPORT_ERROR, Cause(message="there is no answers.toml"))

    with pytest.raises(StudentError, match=r"there is no answers\.toml"):
        Sheet(TOY, "toy", unknown).numbers("own.cells")


def test_a_worksheet_that_is_missing_is_told_with_the_command_that_writes_it():
    assert missing("toy.py", "ada") == "there is no toy.py"
    assert missing("answers.toml", "ada lin") == "there is no answers.toml: `grader worksheet 'ada lin'` writes it"
    assert "`grader worksheet YOUR-ID`" in missing("answers.toml", None)


ASKED = ["small.matrix", "small.cells", "own.matrix", "own.cells"]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["student", *ASKED], ""),
        (["student", "own", "small"], ""),
        (None, ""),
        ([7, None], ""),
        (["own.Cells"], "own.Cells is no question of the worksheet: did you mean own.cells?"),
        (["x.own", "x.small"], "[x] is no section of the worksheet: did you mean [own]?"),
        (["smal.cells", "smal.matrix"], "[smal] is no section of the worksheet: did you mean [small]?"),
        (["zzz"], "zzz is no question of the worksheet"),
        (["a" * 100], f"{'a' * 60} is no question of the worksheet"),
        (["q", "r", "s", "t"], "q is no question of the worksheet; r is no question of the worksheet; "),
        (["q", "r", "s", "t"], "; and 1 more"),
    ],
)
def test_what_no_question_has_is_told_with_what_may_be_meant(entries, said):
    told = strangers(entries, ASKED)
    assert said in told
    assert bool(told) is bool(said)


@pytest.mark.parametrize(("claimed", "student"), [("ada", "ada"), ("ada", None), ("王小明", "王小明")])
def test_one_s_own_sheet_is_fine(claimed, student):
    assert whose("answers.toml", claimed, student) is None


@pytest.mark.parametrize(
    ("claimed", "student", "said"),
    [
        ("bo", "ada", "this worksheet is for bo, not for ada"),
        ("bo", "ada", "`grader worksheet ada` writes yours"),
        ("ada ", "ada", "this worksheet is for ada , not for ada"),
        ("bo", "ada lin", "`grader worksheet 'ada lin'` writes yours"),
        ("", "ada", "does not say whose it is"),
        (None, None, "does not say whose it is"),
        ("a" * 201, None, "does not say whose it is"),
        (["ada"], "ada", 'put `student = "ada"` back'),
    ],
)
def test_another_s_sheet_or_nobody_s_is_told_with_what_to_do(claimed, student, said):
    assert said in str(whose("answers.toml", claimed, student))
