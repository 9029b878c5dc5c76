"""context.average_weights: row t holds what position t gives to each position."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_row_stochastic,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("context.average_weights")

X = np.array([[2.0, 0.0], [4.0, 6.0], [0.0, 9.0]])
AVERAGES = np.array([[2.0, 0.0], [3.0, 3.0], [2.0, 5.0]])


def weights(submission, T):
    """Read the weights as float64; which dtype they must have is a test of its own."""
    return as_array(submission.average_weights(T), shape=(T, T), what=f"the weights for T = {T}").astype(np.float64)


@core
def test_no_position_has_weight_in_an_earlier_average(submission):
    W = weights(submission, 4)
    assert not np.triu(W, 1).any(), "above the diagonal every weight is exactly 0 (row = who averages, column = whom)"


@core
def test_each_row_shares_one_unit(submission):
    assert_row_stochastic(weights(submission, 4))


@core
def test_the_shares_of_a_row_are_equal(submission):
    expected = np.array([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])
    W = weights(submission, 3)
    show_heat_map(W, expected, "the weights for T = 3")
    assert_close(W, expected, rtol=1e-6, what="the weights for T = 3")


@core
def test_the_weights_times_x_are_the_averages(submission):
    assert_close(weights(submission, 3) @ X, AVERAGES, rtol=1e-5, atol=1e-5, what="W @ X of the worked example")


@edge
def test_a_single_position_has_the_whole_unit(submission):
    assert_close(weights(submission, 1), np.array([[1.0]]), rtol=1e-6, what="the weights for T = 1")


@edge
def test_no_positions_have_no_weights(submission):
    weights(submission, 0)


@edge
def test_a_negative_number_of_positions_is_an_error(submission):
    assert_rejects(submission.average_weights, -1)


@edge
def test_the_weights_are_float64(submission):
    as_array(submission.average_weights(3), dtype=np.float64, what="the weights")
