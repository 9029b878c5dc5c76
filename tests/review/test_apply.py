from __future__ import annotations

import pytest

from grader.gradebook.book import Book
from grader.gradebook.history import rulings
from grader.gradebook.policy.model import Policy
from grader.gradebook.show import as_lines, class_of
from grader.model.errors import GraderError, UsageError
from grader.review.apply import Applied, apply
from grader.review.collect import collect
from tests.review.made import graded, submitted
from tests.review.test_collect import fill


@pytest.fixture
def scores(tmp_path):
    graded(tmp_path / "scores", submitted("ada", flags=True), submitted("bo"))
    collect(tmp_path / "scores", tmp_path)
    return tmp_path / "scores"


def applied(scores, author="eva", now=5):
    return apply(scores.parent / "review.toml", scores, author, now)


def lines(scores):
    with Book(scores / "gradebook.db") as book:
        return list(as_lines(class_of(book, Policy())))


def test_points_and_comments_count_with_author_and_reason(scores):
    fill(scores.parent, ('idea = ""', "idea = 2.5"), ('words = ""', "words = 2"), ('comment = ""', 'comment = "Good."'))
    assert applied(scores) == Applied(noted=1, known=0, open=2)
    assert lines(scores) == [
        "ada  toy   12.50 / 15  answers.md decided by eva: 4.50 (idea 2.5 of 3, words 2 of 2); eva: Good.",
        "bo   toy    8.00 / 10  answers.md waits for a person",
    ]


def test_applying_twice_notes_nothing_twice(scores):
    fill(scores.parent, ('idea = ""', "idea = 1"), ('words = ""', "words = 2"))
    fill(
        scores.parent, ('score = ""\ncomment = ""', 'score = ""\ncomment = "No eval."'), ('reason = ""', 'reason = "x"')
    )
    assert applied(scores) == Applied(noted=2, known=0, open=1)
    assert applied(scores, now=9) == Applied(noted=0, known=2, open=1)
    fill(scores.parent, ("idea = 1", "idea = 3"))
    assert applied(scores).noted == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([('idea = ""', "idea = 1")], "'words' has no points yet"),
        ([('idea = ""', "idea = 4"), ('words = ""', "words = 1")], "4 points for 'idea'"),
        ([('idea = ""', "idea = 1"), ('words = ""', "words = 1\nwit = 1")], "the rubric has no item 'wit'"),
        ([('score = ""', "score = 3")], "no reason"),
        ([('student = "ada"', 'student = "adda"')], "'adda' handed in nothing; did you mean 'ada'"),
    ],
)
def test_a_mistake_in_the_file_is_told_and_nothing_is_noted(scores, changes, said):
    fill(scores.parent, ('comment = ""', 'comment = "Good."'), *changes)
    with pytest.raises(UsageError, match=said) as caught:
        applied(scores)
    assert caught.value.where == scores.parent / "review.toml"
    with Book(scores / "gradebook.db") as book:
        assert rulings(book) == {}


def test_who_decides_stands_in_the_file_or_is_who_applies_it(scores):
    fill(scores.parent, ('comment = ""', 'comment = "Good."'))
    fill(scores.parent, ('author = ""', 'author = "jo"'))
    applied(scores)
    with Book(scores / "gradebook.db") as book:
        assert [each.author for each in rulings(book)["ada", "toy"]] == ["jo"]


@pytest.mark.parametrize("points", ["true", "nan", "inf", "-1", '"two"', "[1]", "1979-05-27", "{ a = 1 }"])
@pytest.mark.parametrize(("place", "beside"), [("idea", "words = "), ("score", "reason = ")])
def test_what_is_no_number_of_points_is_refused_wherever_it_stands(scores, place, beside, points):
    usual = {"words = ": "1", "reason = ": '"x"'}[beside]
    fill(scores.parent, (f'{place} = ""', f"{place} = {points}"), (f'{beside}""', f"{beside}{usual}"))
    with pytest.raises(GraderError):
        applied(scores)
    with Book(scores / "gradebook.db") as book:
        assert rulings(book) == {}
    fill(scores.parent, (f"{place} = {points}", f"{place} = 1"))
    assert applied(scores).noted == 1


def test_true_is_told_by_its_place_in_the_file_and_in_plain_words(scores):
    fill(scores.parent, ('score = ""', "score = true"))
    with pytest.raises(GraderError, match=r"`cases\[0\]\.score`: a number, not true or false\n"):
        applied(scores)


def test_a_file_with_the_ends_of_lines_of_windows_is_read(scores):
    fill(scores.parent, ('idea = ""', "idea = 2.5"), ('words = ""', "words = 2"))
    file = scores.parent / "review.toml"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert applied(scores).noted == 1
