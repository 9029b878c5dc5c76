"""A matrix of a visible test is kept as numbers that can be drawn, whatever a submission returned."""

from __future__ import annotations

import numpy as np
import pytest

from grader.testing.heat import keep_heat_maps, show_heat_map
from tests.testing.apart import apart

RIGHT = np.array([[0.25, 0.75], [1.0, 0.0]])


@apart
def shown(*got):
    found = keep_heat_maps()
    for each in got:
        show_heat_map(each, RIGHT)
    return [each.got for each in found]


@apart
def test_both_matrices_are_kept_with_six_digits():
    found = keep_heat_maps()
    show_heat_map(RIGHT / 3, RIGHT, "thirds")
    [only] = found
    assert (only.what, only.got, only.right) == ("thirds", [[0.0833333, 0.25], [0.333333, 0.0]], RIGHT.tolist())


def test_one_of_another_shape_is_kept_as_it_is():
    assert shown(np.ones((3, 1))) == [[[1.0], [1.0], [1.0]]]


def test_what_is_not_finite_has_no_number():
    assert shown(np.array([[np.nan, np.inf], [-np.inf, -0.0]])) == [[[None, None], [None, 0.0]]]


def test_booleans_and_integers_are_numbers():
    assert shown(np.eye(2, dtype=bool), np.array([[3]])) == [[[1.0, 0.0], [0.0, 1.0]], [[3.0]]]


@pytest.mark.parametrize(
    "got",
    [None, "x" * 99, [[1.0]], np.ones(3), np.ones((17, 2)), np.ones((0, 2)), np.array([["a"]]), np.array([[1j]])],
    ids=lambda got: type(got).__name__,
)
def test_what_cannot_be_drawn_is_passed_over(got):
    assert shown(got) == []


def test_a_subclass_that_may_answer_as_it_likes_is_passed_over():
    assert shown(np.ma.masked_array(RIGHT)) == []


def test_no_test_shows_more_than_four():
    assert len(shown(*[RIGHT] * 9)) == 4


def test_outside_a_test_nothing_is_kept():
    show_heat_map(RIGHT, RIGHT)


@pytest.mark.parametrize("right", [np.ones(3), np.array([[np.nan]]), np.ones((2, 17))], ids=["flat", "nan", "wide"])
def test_a_right_matrix_that_cannot_be_drawn_is_the_course_s_mistake(right):
    with pytest.raises(ValueError, match="a heat map is a matrix of finite numbers, at most 16 x 16"):
        show_heat_map(RIGHT, right)
