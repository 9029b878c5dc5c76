"""attention.softmax: scores become shares of one unit, along the axis asked for."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_finite,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("attention.softmax")

# Logarithms, so that exp gives whole numbers: 1, 2, 5 and 4, 3, 1, both of sum 8.
SCORES = np.log([[1.0, 2.0, 5.0], [4.0, 3.0, 1.0]])


@core
def test_each_row_sums_to_one(submission):
    assert_row_stochastic(submission.softmax(SCORES), what="softmax(x)")


@core
def test_shares_are_in_proportion_to_the_exponentials(submission):
    shares, expected = submission.softmax(SCORES), np.array([[1, 2, 5], [4, 3, 1]]) / 8
    show_heat_map(shares, expected, "softmax of the logarithms of 1, 2, 5 and 4, 3, 1")
    assert_close(shares, expected, what="softmax of the logarithms of 1, 2, 5 and 4, 3, 1")


@core
def test_axis_0_shares_one_unit_in_each_column(submission):
    expected = np.array([[1 / 5, 2 / 5, 5 / 6], [4 / 5, 3 / 5, 1 / 6]])
    shares = submission.softmax(SCORES, axis=0)
    show_heat_map(shares, expected, "softmax(x, axis=0)")
    assert_close(shares, expected, what="softmax(x, axis=0)")


@core
def test_a_square_matrix_is_no_exception(submission):
    expected = np.array([[1 / 3, 2 / 3], [4 / 7, 3 / 7]])
    assert_close(submission.softmax(SCORES[:, :2]), expected, what="softmax of a square matrix")


@edge
def test_a_vector_will_do(submission):
    assert_close(submission.softmax(SCORES[0]), np.array([1, 2, 5]) / 8, what="softmax of a vector")


@edge
def test_an_axis_in_the_middle_will_do(submission):
    block = np.stack([SCORES, SCORES[::-1]])
    expected = np.array([[1 / 5, 2 / 5, 5 / 6], [4 / 5, 3 / 5, 1 / 6]])
    assert_close(submission.softmax(block, axis=1), np.stack([expected, expected[::-1]]), what="softmax(x, axis=1)")


@edge
def test_large_numbers_do_not_overflow(submission):
    expected = np.array([[1, 2, 5], [4, 3, 1]]) / 8
    for shift in (1000.0, -1000.0):
        got = submission.softmax(SCORES + shift)
        assert_finite(got, what=f"softmax(x + {shift:g})")
        assert_close(got, expected, what=f"softmax(x + {shift:g})")


@edge
def test_a_low_row_beside_a_high_one_keeps_its_shares(submission):
    got = submission.softmax(SCORES + np.array([[400.0], [-400.0]]))
    assert_finite(got, what="softmax of a high and a low row")
    assert_close(got, np.array([[1, 2, 5], [4, 3, 1]]) / 8, what="softmax of a high and a low row")


@edge
def test_minus_infinity_has_no_share_and_a_row_of_it_has_none_at_all(submission):
    x = np.array([[0.0, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]])
    got = submission.softmax(x)
    assert_finite(got, what="softmax with -inf")
    assert_close(got, np.array([[0.5, 0, 0.5], [0, 0, 0]]), what="softmax with -inf")


@edge
def test_float32_stays_float32(submission):
    as_array(submission.softmax(SCORES.astype(np.float32)), dtype=np.float32, what="softmax of float32")


@edge
def test_integers_become_float64(submission):
    got = submission.softmax(np.array([[0, 0, 0, 0], [7, 7, 7, 7]]))
    assert_close(got, np.full((2, 4), 0.25), what="softmax of integers")


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.softmax, SCORES)


@edge
def test_an_axis_that_is_not_there_is_an_error(submission):
    assert_rejects(submission.softmax, SCORES, axis=2)
