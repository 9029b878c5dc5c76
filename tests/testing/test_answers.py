from __future__ import annotations

import re

import pytest

from grader.model.worksheet import Question
from grader.testing import assert_answer, assert_form

TEXT = {"en": "What?", "zh-TW": "多少"}
SHAPE = Question.model_validate({"name": "q", "sections": ["own"], "kind": "shape", "axes": 3, "text": TEXT})
NUMBER = Question.model_validate({"name": "n", "sections": ["own"], "kind": "integer", "text": TEXT})


@pytest.mark.parametrize(
    ("got", "expected", "said"),
    [
        ([2, 5, 3], [2, 3, 5], "own.q: [2, 5, 3] has the right sizes, but its axes are in the wrong order"),
        ([2, 3, 6], [2, 3, 5], "own.q: got [2, 3, 6], expected [2, 3, 5]"),
        ([2, 3], [2, 3, 5], "got [2, 3], expected [2, 3, 5]"),
        ("[2, 3, 5]", [2, 3, 5], "is a shape, such as [2, 3, 4], and not text: leave the quotes out"),
        (6, [2, 3, 5], "is a shape, such as [2, 3, 4], and not one number"),
        ([2.0, 3, 5], [2, 3, 5], "each size in own.q is a whole number, such as 1234, and not a number with a point"),
        ([2, [3], 5], [2, 3, 5], "each size in own.q is a whole number"),
        ([True, 3, 5], [1, 3, 5], "and not true or false"),
        (7, 6, "own.q: got 7, expected 6"),
        (6.0, 6, "a number with a point"),
        ("6", 6, "leave the quotes out"),
        ([6], 6, "is a whole number, such as 1234, and not a list of 1"),
        (True, 1, "true or false"),
        (-6, 6, "own.q is at least 1"),
        (10**300, 6, "own.q: got 1000"),
    ],
)
def test_a_wrong_answer_is_told_by_what_is_wrong_with_it(got, expected, said):
    with pytest.raises(AssertionError, match=re.escape(said)) as caught:
        assert_answer(got, expected, "own.q")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("got", "expected"), [([2, 3, 5], [2, 3, 5]), ((2, 3), [2, 3]), (124439808, 124439808)])
def test_a_right_answer_is_right(got, expected):
    assert_answer(got, expected)


@pytest.mark.parametrize("got", [124439807, 124439809])
def test_a_count_is_right_to_the_last_one(got):
    with pytest.raises(AssertionError):
        assert_answer(got, 124439808)


def test_a_form_says_nothing_of_the_value():
    assert_form([9, 9, 9], SHAPE)
    assert_form(9, NUMBER)


@pytest.mark.parametrize(
    ("got", "question", "said"),
    [
        ([2, 3], SHAPE, "own.q has 3 axes, and [2, 3] has 2"),
        (9, SHAPE, "is a shape"),
        ([2, 0, 3], SHAPE, "each size in own.q is at least 1"),
        ([9], NUMBER, "is a whole number"),
        (0, NUMBER, "own.q is at least 1"),
    ],
)
def test_an_answer_of_another_form_is_told(got, question, said):
    with pytest.raises(AssertionError, match=re.escape(said)):
        assert_form(got, question, "own.q")
