from __future__ import annotations

import pytest

from grader.testing import assert_answer, assert_form, exercise, question, questions

pytestmark = exercise("shapes.worksheet")

FEMTO = {
    "femto.q": [3, 1, 5, 2],
    "femto.scores": [3, 1, 5, 5],
    "femto.merged": [3, 5, 2],
    "femto.attn": 24,
}


@question
@pytest.mark.parametrize("asked", questions(__file__))
def test_the_answer_is_a_shape_or_a_number_as_the_question_asks(submission, worksheet, asked):
    assert_form(submission.answer(asked, **worksheet.numbers(asked)), worksheet.question(asked), asked)


@question
@pytest.mark.parametrize("asked", FEMTO)
def test_the_first_example_is_right(submission, worksheet, asked):
    assert_answer(submission.answer(asked, **worksheet.numbers(asked)), FEMTO[asked], asked)
