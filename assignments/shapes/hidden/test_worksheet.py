from __future__ import annotations

import pytest

from grader.testing import assert_answer, exercise, question, questions

pytestmark = exercise("shapes.worksheet")


@question
@pytest.mark.parametrize("asked", questions(__file__))
def test_the_answer_is_right(submission, reference, worksheet, asked):
    numbers = worksheet.numbers(asked)
    assert_answer(submission.answer(asked, **numbers), reference.answer(asked, **numbers), asked)
