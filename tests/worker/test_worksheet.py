"""A worksheet in a worker: data that is read, and never run."""

from __future__ import annotations

from types import ModuleType

import pytest

from grader.wire.messages import Failed, Get, Import, Load, Loaded, Returned
from grader.worker.errors import Unanswered
from grader.worker.worksheet import fill
from tests.worker.conftest import BOUNDS


@pytest.fixture
def sheet(judge):
    """Load a worksheet beside a program, and return the judge."""

    def load(text: str | bytes):
        data = text if isinstance(text, bytes) else text.encode()
        files = {"toy.py": b"import sys\ndef f(): return 1\n", "answers.toml": data}
        answer = judge.ask(Load(files, ["toy", "answers"], ["numpy"], [], BOUNDS))
        assert isinstance(answer, Loaded)
        assert answer.flags == []
        return judge

    return load


def test_an_answer_is_what_stands_in_the_sheet_whatever_the_numbers(sheet):
    judge = sheet('student = "ada"\n[own]\nshape = [2, 3]\ncells = 1_234\n')
    assert judge.returned("answers.answer", "own.shape", rows=5) == [2, 3]
    assert judge.returned("answers.answer", "own.cells") == 1234
    assert judge.ask(Get("answers.student")) == Returned("ada")
    assert judge.returned("toy.f") == 1


@pytest.mark.parametrize("value", ['""', "[]", '"  "'])
def test_a_blank_is_unanswered(sheet, value):
    failure = sheet(f"[own]\ncells = {value}\n").failure("answers.answer", "own.cells")
    assert failure.types[:2] == ["Unanswered", "NotImplementedError"]
    assert failure.message == "own.cells"


@pytest.mark.parametrize("text", ["", "own = 3", "[own]\n", "[theirs]\ncells = 6"])
def test_a_question_that_is_gone_is_unanswered(sheet, text):
    assert sheet(text).failure("answers.answer", "own.cells").types[0] == "Unanswered"


def test_a_point_in_a_key_is_a_section_too(sheet):
    assert sheet("own.cells = 6").returned("answers.answer", "own.cells") == 6


@pytest.mark.parametrize(("text", "student"), [("", ""), ("student = 5", ""), ("student = ''", "")])
def test_a_sheet_that_does_not_say_whose_it_is_is_nobody_s(sheet, text, student):
    assert sheet(text).ask(Get("answers.student")) == Returned(student)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("student = 'ada'\n[own]\nshape = (2, 3)\n", 3),
        ("[own]\nshape = [2, 3\ncells = 4\n", 3),
        ("[own]\ncells = 124,439,808\n", 2),
        ("[own]\ncells = 4\ncells = 5", 3),
        ("[own]\ncells = ", 2),
        ("a = " + "[" * 5000, 1),
        ("[own]\n" + "# 5\n" * 3 + "a = " + "9" * 5000 + "\nb = 2\n", 5),
    ],
    ids=["tuple", "open", "commas", "twice", "end", "deep", "long"],
)
def test_what_is_no_toml_is_told_with_its_line_and_how_answers_are_written(sheet, text, line):
    failure = sheet(text).import_failure("answers")
    assert failure.types[0] == "SyntaxError"
    assert (failure.file, failure.line) == ("answers.toml", line)
    assert "a shape is written [2, 3, 4]" in failure.message
    assert len(failure.message) < 300


def test_bytes_that_are_no_text_are_told_with_their_line(sheet):
    failure = sheet(b"[own]\ncells = \xff\n").import_failure("answers")
    assert (failure.file, failure.line) == ("answers.toml", 2)
    assert "save the file as UTF-8" in failure.message


def test_a_sheet_in_the_clothes_of_a_program_is_not_run(sheet):
    failure = sheet("import os\nos._exit(3)\n").import_failure("answers")
    assert failure.types[0] == "SyntaxError"


def test_a_sheet_raises_no_flags_whatever_words_are_in_it(sheet):
    sheet("eval = 1\nexec = 2\n")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2024-01-01", "a date stands at own.cells"),
        ("2024-01-01T07:32:00", "a datetime stands at own.cells"),
        ("[2, 07:32:00]", "a time stands at own.cells"),
        ("{a = 1}", "a table stands at own.cells"),
        ("[[{}]]", "a table stands at own.cells"),
    ],
)
def test_what_no_question_asks_for_is_told_as_what_it_is(sheet, value, said):
    failure = sheet(f"[own]\ncells = {value}\n").failure("answers.answer", "own.cells")
    assert failure.types[:2] == ["NoAnswer", "TypeError"]
    assert failure.message.startswith(said)
    assert "a shape is written [2, 3, 4], a whole number 1234" in failure.message


@pytest.mark.parametrize("value", ["1" + "0" * 400, "[2, 0x" + "f" * 9000 + "]"])
def test_a_number_that_no_answer_can_be_is_told_in_words_of_a_sheet(sheet, value):
    failure = sheet(f"[own]\ncells = {value}\n").failure("answers.answer", "own.cells")
    assert failure.message == "a number of more than 300 digits stands at own.cells, and no answer is as long"


@pytest.mark.parametrize("value", ["2.5", "true", "'six'", "[[2], 'a']", "9" * 300])
def test_all_else_travels_for_a_test_to_say_what_is_wrong(sheet, value):
    judge = sheet(f"[own]\ncells = {value}\n")
    assert isinstance(judge.returned("answers.answer", "own.cells"), bool | int | float | str | list)


def test_all_that_stands_in_a_sheet_is_told_by_its_names(sheet):
    judge = sheet('student = "ada"\nq = 3\n[own]\nshape = []\ncells = 6\n[x.own]\ncells = 6\n[empty]\n')
    names = ["student", "q", "own.shape", "own.cells", "x.own", "empty"]
    assert judge.ask(Get("answers.entries")) == Returned(names)
    many = "".join(f"{'k' * 200}{n} = 1\n" for n in range(1000))
    told = sheet_entries(many)
    assert len(told) == 500
    assert set(told) == {"k" * 100}


def sheet_entries(text: str) -> list[str]:
    module = ModuleType("answers")
    fill(module, text, "answers.toml")
    return list(vars(module)["entries"])


def test_unanswered_is_the_template_s_own_error():
    assert issubclass(Unanswered, NotImplementedError)


def test_a_program_cannot_import_the_sheet(judge):
    files = {"toy.py": b"import answers\n", "answers.toml": b"student = 'ada'\n"}
    judge.ask(Load(files, ["toy", "answers"], ["numpy"], [], BOUNDS))
    answer = judge.ask(Import("toy"))
    assert isinstance(answer, Failed)
    assert answer.error.types[0] == "ForbiddenImport"
