from __future__ import annotations

import tomllib

import pytest

from grader.course.toml import load_toml
from grader.model.errors import CourseError
from grader.review.collect import collect
from grader.review.model import Review
from tests.review.made import graded, submitted


def read(path):
    return tomllib.loads((path / "review.toml").read_text("utf-8"))


def fill(path, *changes):
    file = path / "review.toml"
    text = file.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")


def test_the_file_to_fill_in_has_a_place_for_every_item_and_case(tmp_path):
    graded(tmp_path / "scores", submitted("ada", flags=True), submitted("bo"))
    assert collect(tmp_path / "scores", tmp_path / "review") == []
    found = read(tmp_path / "review")
    assert [each["student"] for each in found["answers"]] == ["ada", "bo"]
    assert found["answers"][0]["points"] == {"idea": "", "words": ""}
    assert found["cases"][0]["about"] == "toy.py, line 5: eval"
    words = (tmp_path / "review" / "review.toml").read_text("utf-8")
    assert 'idea = ""  # of 3: Has the idea' in words
    assert f"grader review apply {tmp_path / 'review' / 'review.toml'} {tmp_path / 'scores'}" in words


def test_what_is_filled_in_stays_when_it_is_gathered_again(tmp_path):
    graded(tmp_path / "scores", submitted("ada", flags=True))
    collect(tmp_path / "scores", tmp_path)
    fill(tmp_path, ('idea = ""', "idea = 2.5"), ('author = ""', 'author = "eva"'), ('score = ""', "score = 1"))
    graded(tmp_path / "scores", submitted("ada", flags=True), submitted("bo"))
    assert collect(tmp_path / "scores", tmp_path) == []
    found = read(tmp_path)
    assert found["author"] == "eva"
    assert found["answers"][0]["points"] == {"idea": 2.5, "words": ""}
    assert [each["score"] for each in found["cases"]] == [1.0]


def test_a_text_that_changed_after_it_was_read_is_told(tmp_path):
    graded(tmp_path / "scores", submitted("ada"))
    collect(tmp_path / "scores", tmp_path)
    fill(tmp_path, ('comment = ""', 'comment = "Good."'))
    graded(tmp_path / "scores", submitted("ada", "Otherwise.\n"))
    assert collect(tmp_path / "scores", tmp_path) == [
        "ada toy answers.md: the text has changed since it was filled in: look again"
    ]
    assert read(tmp_path)["answers"][0]["comment"] == "Good."


def test_what_was_filled_in_about_something_that_is_gone_is_kept_and_told(tmp_path):
    graded(tmp_path / "scores", submitted("ada"), submitted("bo"))
    collect(tmp_path / "scores", tmp_path)
    fill(tmp_path, ('idea = ""', "idea = 1"))
    graded(tmp_path / "scores", submitted("bo"))
    assert collect(tmp_path / "scores", tmp_path) == [
        "ada toy answers.md: filled in, and no longer there to be looked at"
    ]
    assert [each["student"] for each in read(tmp_path)["answers"]] == ["bo", "ada"]


def test_a_file_that_cannot_be_read_is_left_as_it_is(tmp_path):
    graded(tmp_path / "scores", submitted("ada"))
    (tmp_path / "review.toml").write_text("author = \n", encoding="utf-8")
    with pytest.raises(CourseError, match="not valid TOML"):
        collect(tmp_path / "scores", tmp_path)
    assert (tmp_path / "review.toml").read_text("utf-8") == "author = \n"


def test_hostile_words_are_only_text(tmp_path):
    graded(tmp_path / "scores", submitted("ada", '</pre><script>alert("x")</script>\x1b[2J'))
    collect(tmp_path / "scores", tmp_path)
    page = (tmp_path / "review.html").read_text("utf-8")
    assert "<script" not in page
    assert "\x1b" not in page
    assert "&lt;script&gt;" in page
    load_toml(tmp_path / "review.toml", Review)


def test_only_the_assignments_that_were_asked_for_are_gathered(tmp_path):
    graded(tmp_path / "scores", submitted("ada", flags=True))
    collect(tmp_path / "scores", tmp_path, ["other"])
    assert read(tmp_path) == {"author": ""}
