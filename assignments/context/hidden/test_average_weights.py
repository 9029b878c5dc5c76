"""What decides the score of `average_weights`: the causal average as a matrix, then every edge by itself."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_row_stochastic, core, edge, exercise

pytestmark = exercise("context.average_weights")


def weights(submission, T):
    """Return the weights as float64: in which dtype they have to come is a question of its own."""
    return as_array(submission.average_weights(T), shape=(T, T), what=f"the weights for T = {T}").astype(np.float64)


@core
def test_the_weights_average_the_rows_so_far(submission, reference, rng):
    for T in map(int, rng.choice([5, 7, 11], size=2, replace=False)):
        W, X = weights(submission, T), rng.normal(1, 2, size=(T, 3))
        assert not np.isnan(W).any(), f"{np.isnan(W).sum()} of {W.size} weights are NaN"
        assert not np.triu(W, 1).any(), "a position has weight in the average of an earlier one"
        assert_row_stochastic(W)
        # Wide enough for weights in float32.
        assert_close(W, reference.average_weights(T), rtol=1e-6, what=f"the weights for T = {T}")
        assert_close(W @ X, reference.causal_average(X), rtol=1e-5, atol=1e-5, what="W @ X")


@edge
def test_a_single_position_has_the_whole_unit(submission):
    assert_close(weights(submission, 1), np.ones((1, 1)), rtol=1e-6, what="the weights for T = 1")


@edge
def test_no_positions_have_no_weights(submission):
    weights(submission, 0)


@edge
def test_a_negative_number_of_positions_is_refused(submission, rng):
    assert_rejects(submission.average_weights, -1)
    assert_rejects(submission.average_weights, -int(rng.integers(2, 9)))


@edge
def test_the_weights_are_float64(submission, rng):
    as_array(submission.average_weights(int(rng.choice([5, 7]))), dtype=np.float64, what="the weights")
