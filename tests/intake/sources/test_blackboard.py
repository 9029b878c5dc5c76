"""Blackboard: the last attempt, the receipt, and what a student may write into it."""

from __future__ import annotations

from datetime import datetime

from grader.intake.sources.receipt import receipt as read
from tests.intake.sources.downloads import DOWNLOADS, FIRST, LAST, A, B, board, receipt

FILES = DOWNLOADS["blackboard"].files


def test_the_last_attempt_is_taken_and_those_before_are_named(lay, collected):
    found = collected(lay(FILES, "zip")).by_id["ada_l"]
    assert found.files == {"attention.py": A}
    assert found.origin.submitted == datetime(2026, 2, 3, 10, 11, 12)  # noqa: DTZ001 - by a clock whose zone is not told
    assert found.origin.attempt == "the last of 2"
    assert found.origin.earlier == (board("ada_l", FIRST), board("ada_l", FIRST, "attention.py"))


def test_the_receipt_tells_what_a_file_was_called_and_whose_it_is(lay, collected):
    found = collected(lay(FILES, "zip")).by_id
    assert found["ada_l"].origin.who == ({"login": ("ada_l",), "name": ("Ada Lovelace",)},)
    assert found["bo"].origin.who[0]["name"] == ("Bo Li (2)",)


def test_without_a_receipt_nobody_is_guessed(lay, collected):
    found = collected(lay({board("ada_l", LAST, "attention.py"): A}, "zip")).by_id["HW 1_ada_l"]
    assert (found.origin.who, found.files) == ((), {"attention.py": A})


def test_a_receipt_is_believed_only_where_the_names_of_the_files_agree(lay, collected):
    files = {board("eve", LAST): receipt("Ada", "ada_l"), board("eve", LAST, "attention.py"): B}
    assert collected(lay(files, "zip")).submissions[0].origin.who == ()


def test_what_a_student_wrote_into_a_receipt_is_not_read():
    words = "Name: Bo (bo)\r\nFiles:\r\n\tOriginal filename: attention.py\r\n\tFilename: evil.py\r\n"
    found = read(receipt("Ada", "ada", ("attention.py", "HW_x.py"), words=words).decode())
    assert (found.name, found.login, found.files) == ("Ada", "ada", {"HW_x.py": "attention.py"})
    assert read("no receipt").login == ""


def test_an_attempt_at_no_time_has_none(lay, collected):
    files = {board("ada", "2026-99-03-10-11-12", "attention.py"): A}
    assert collected(lay(files, "zip")).submissions[0].origin.submitted is None
