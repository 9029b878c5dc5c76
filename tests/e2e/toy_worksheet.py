"""A course of one function and a worksheet: a matrix of everybody's, and one of the student's own."""

from __future__ import annotations

from pathlib import Path

from grader.course.assignment import load_assignment
from grader.kit.worksheet import blank
from grader.verify.run import verify_assignment
from tests.e2e.toy import TEST

MANIFEST = """
id = "toy"
title = { en = "Toy", zh-TW = "玩具" }
files = ["toy.py", "answers.toml"]

[[exercises]]
id = "toy.double"
title = { en = "Double", zh-TW = "加倍" }
names = ["double"]
points = 10

[[exercises]]
id = "toy.sheet"
file = "answers.toml"
title = { en = "Worksheet", zh-TW = "學習單" }
names = ["answer"]
points = 8
"""
QUESTIONS = """
title = { en = "A worksheet", zh-TW = "學習單" }
intro = { en = "Write a shape as [2, 3].", zh-TW = "形狀寫成 [2, 3]。" }

[[sections]]
id = "small"
title = { en = "Everybody's", zh-TW = "大家的" }
numbers = { rows = 2, columns = 3 }

[[sections]]
id = "own"
title = { en = "Your own", zh-TW = "你自己的" }
draws = [
    { names = ["rows"], rows = [[5], [7], [11], [13], [17], [19], [23]] },
    { names = ["columns"], rows = [[6], [8], [9], [10], [12], [14], [15]] },
]

[[questions]]
name = "matrix"
sections = ["small", "own"]
kind = "shape"
axes = 2
text = { en = "The shape of a matrix of {rows} rows", zh-TW = "{rows} 列矩陣的形狀" }

[[questions]]
name = "cells"
sections = ["small", "own"]
kind = "integer"
text = { en = "Its entries", zh-TW = "元素個數" }
"""
REFERENCE = """
def answer(question, *, rows, columns):
    return {"matrix": [rows, columns], "cells": rows * columns}[question.partition(".")[2]]
"""
MISCONCEPTIONS = """
from grader.testing import Explained, misconception, variant

def words(name):
    return {"en": Explained(name, "why", "hint"), "zh_tw": Explained(name + "。", "為何", "提示")}

@misconception("toy.double/tripled", **words("tripled"))
def double(ref, x):
    return 3 * x

@variant("toy.double/tripled")
def double_again(ref, x):
    return x + x + x

@misconception("toy.sheet/columns-first", **words("columns first"))
def answer(ref, question, *, rows, columns):
    return [columns, rows] if question.endswith("matrix") else rows * columns

@variant("toy.sheet/columns-first")
def answer_again(ref, question, **numbers):
    return {"matrix": list(numbers.values())[::-1], "cells": numbers["rows"] * numbers["columns"]}[question.split(".")[1]]

@misconception("toy.sheet/sum", **words("sum"), name="answer")
def added(ref, question, *, rows, columns):
    return rows + columns if question.endswith("cells") else [rows, columns]

@variant("toy.sheet/sum")
def added_again(ref, question, **numbers):
    return {"matrix": list(numbers.values()), "cells": sum(numbers.values())}[question.split(".")[1]]
"""
VISIBLE = """
import pytest
from grader.testing import assert_answer, assert_form, exercise, question, questions

pytestmark = exercise("toy.sheet")
RIGHT = {"small.matrix": [2, 3], "small.cells": 6}


@question
@pytest.mark.parametrize("asked", questions(__file__))
def test_each_answer_has_its_form(submission, worksheet, asked):
    assert_form(submission.answer(asked, **worksheet.numbers(asked)), worksheet.question(asked), asked)


@question
@pytest.mark.parametrize("asked", RIGHT)
def test_of_everybody_s_the_values_are_right(submission, worksheet, asked):
    assert_answer(submission.answer(asked, **worksheet.numbers(asked)), RIGHT[asked], asked)
"""
HIDDEN = """
import pytest
from grader.testing import assert_answer, exercise, question, questions

pytestmark = exercise("toy.sheet")


@question
@pytest.mark.parametrize("asked", questions(__file__))
def test_answer(submission, reference, worksheet, asked):
    numbers = worksheet.numbers(asked)
    assert_answer(submission.answer(asked, **numbers), reference.answer(asked, **numbers), asked)
"""
RIGHT = "def double(x):\n    return x + x\n"


def worksheet_course(folder: Path) -> Path:
    """Write the course, lock its tests and return it."""
    files = {
        "assignments/toy/assignment.toml": MANIFEST,
        "assignments/toy/worksheet.toml": QUESTIONS,
        "assignments/toy/misconceptions.py": MISCONCEPTIONS,
        "assignments/toy/visible/test_double.py": TEST,
        "assignments/toy/hidden/test_double.py": TEST,
        "assignments/toy/visible/test_sheet.py": VISIBLE,
        "assignments/toy/hidden/test_sheet.py": HIDDEN,
        "assignments/toy/right_answers/added.py": RIGHT,
        "reference/toy.py": "def double(x):\n    return 2 * x\n",
        "reference/answers.py": REFERENCE,
        "student_template/toy.py": 'def double(x):\n    raise NotImplementedError("toy.double")\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.lstrip(), encoding="utf-8")
    return folder


def locked_course(folder: Path) -> Path:
    """The course with its lock and fingerprints."""
    result = verify_assignment(worksheet_course(folder) / "assignments" / "toy", seeds=3, write_lock=True)
    assert result.problems == []
    return folder


def sheet_of(course: Path, student: str, **answers: object) -> str:
    """Return a student's worksheet with some blanks filled in; `own_cells=6` answers own.cells."""
    text = blank([load_assignment(course / "assignments" / "toy")], student, "en").text
    for name, value in answers.items():
        section, _, question = name.partition("_")
        head, mark, rest = text.partition(f"[{section}]\n")
        text = head + mark + rest.replace(f'{question} = ""', f"{question} = {value}", 1)
    return text
