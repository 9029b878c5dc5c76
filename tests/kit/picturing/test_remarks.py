"""What is said of a matrix: what its rows should sum to, and whether they do."""

from __future__ import annotations

import pytest

from grader.kit.picturing.remarks import Remark, remarks
from tests.kit.picturing.heats import COLUMNS, RIGHT, SAME, heat


def said(drawn, language="en") -> list[Remark]:
    return list(remarks(drawn, language))


def test_rows_that_share_no_unit_are_named_and_so_are_columns_that_do():
    assert said(COLUMNS) == [
        Remark("Each row should sum to 1."),
        Remark("Not so in yours: row 0, row 1. It is your columns that sum to 1.", good=False),
        Remark("4 of 4 entries are not right.", good=False),
    ]


def test_chinese_says_rows_and_columns_as_they_are_said_in_taiwan():
    texts = [remark.text for remark in said(COLUMNS, "zh-TW")]
    assert texts[0] == "每個橫列的總和應為 1。"
    assert "橫列 0、橫列 1" in texts[1]
    assert "直行" in texts[1]


def test_what_is_right_is_praised():
    assert [remark.good for remark in said(SAME)] == [None, True, True]


def test_rows_that_sum_to_one_with_wrong_entries_are_told_apart_from_right_ones():
    texts = [remark.text for remark in said(heat([[0.4, 0.6], [0.25, 0.75]], RIGHT))]
    assert texts == ["Each row should sum to 1.", "Your rows do.", "2 of 4 entries are not right."]


def test_a_row_that_may_see_nothing_should_sum_to_nothing():
    [should, *_] = said(heat([[0.5, 0.5], [1.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]))
    assert should.text.endswith("to 0 (row 0).")


@pytest.mark.parametrize("right", [[[1.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_of_rows_that_share_no_unit_nothing_is_asked(right):
    assert [remark.good for remark in said(heat([[1.0, 1.0], [1.0, 1.0]], right))] == [False]


def test_another_shape_is_told_and_nothing_of_it_praised():
    found = said(heat([[0.5], [0.5]], RIGHT))
    assert found[0] == Remark("Yours has the shape 2 x 1, the right one 2 x 2.", good=False)
    assert not any(remark.good for remark in found)


def test_what_is_not_finite_is_no_sum_of_one():
    assert said(heat([[None, 1.0], [0.25, 0.75]], RIGHT))[1] == Remark("Not so in yours: row 0.", good=False)
