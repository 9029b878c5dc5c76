"""A stranger's data are read with words for whatever is wrong in them, and where."""

import pytest

from grader.model.verdict import Status
from grader.testing.artifacts import Artifacts
from grader.testing.student import StudentError


def said(read) -> str:
    with pytest.raises(AssertionError) as caught:
        read()
    return str(caught.value)


def table(text: str) -> Artifacts:
    return Artifacts({"run/metrics.csv": text.encode()})


def test_what_was_not_handed_in_is_still_to_do():
    with pytest.raises(StudentError) as caught:
        Artifacts()["run/metrics.csv"]
    assert caught.value.status is Status.NOT_IMPLEMENTED
    assert caught.value.cause.message == "run/metrics.csv"


def test_what_was_not_handed_in_is_told_with_the_command_that_writes_it_and_where_it_is_given():
    with pytest.raises(StudentError) as caught:
        Artifacts(written_by="python program.py --out run")["run/metrics.csv"]
    assert "student_template/ in a kit), `python program.py --out run` writes it" in caught.value.cause.note


def test_what_could_not_be_taken_says_why():
    with pytest.raises(StudentError, match="larger than 1024 KiB") as caught:
        Artifacts({}, {"run/loss.png": "run/loss.png: it is larger than 1024 KiB"})["run/loss.png"]
    assert caught.value.status is Status.IMPORT_ERROR


def test_a_table_of_numbers_is_read_by_columns_whatever_its_line_ends():
    found = table("step,loss\r\n0,4.5\r\n10,1e-3\r\n").table("run/metrics.csv", ["step", "loss"])
    assert found == {"step": [0, 10], "loss": [4.5, 0.001]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("step,los\n0,1\n", "line 1: the columns should be step,loss, got step,los"),
        ("", "line 1: the columns should be step,loss, got "),
        ("step,loss\n0,1\n1\n", "line 3: 1 entries, and 2 columns"),
        ("step,loss\n0,nan\n", "line 2, loss: 'nan' is no finite number"),
        ("step,loss\n0,1e999\n", "line 2, loss: '1e999' is no finite number"),
        ("step,loss\n0,four\n", "line 2, loss: 'four' is no finite number"),
    ],
)
def test_what_is_wrong_in_a_table_is_told_with_its_line(text, words):
    assert words in said(lambda: table(text).table("run/metrics.csv", ["step", "loss"]))


@pytest.mark.parametrize("text", ['{"a": 1', '{"a": NaN}', '{"a": Infinity}', "[" * 100_000, "1" * 5000])
def test_what_is_no_json_is_told(text):
    assert said(lambda: table(text).json("run/metrics.csv")).startswith("run/metrics.csv")


def test_bytes_that_are_no_text_are_told_with_their_line():
    found = Artifacts({"answers.md": "one\nzwei \xfc".encode("latin-1")})
    assert said(lambda: found.text("answers.md")) == "answers.md, line 2: byte 0xfc is not UTF-8"
