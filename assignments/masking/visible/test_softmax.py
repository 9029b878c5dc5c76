"""masking.softmax: each row shares one unit among the keys it may see, if there are any."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("masking.softmax")

SCORES = np.log([[3.0, 1.0, 5.0], [1.0, 4.0, 2.0]])
MASK = np.array([[True, True, False], [True, True, True]])


def weights_of(submission, scores, mask):
    """Read the weights as float64; which dtype they must have is a test of its own."""
    what = f"the weights of scores {scores.shape} under a mask {mask.shape}"
    return as_array(submission.masked_softmax(scores, mask), shape=scores.shape, what=what).astype(np.float64)


@core
def test_each_row_sums_to_one(submission):
    assert_row_stochastic(weights_of(submission, SCORES, MASK))


@core
def test_hidden_keys_have_no_weight(submission):
    weights = weights_of(submission, SCORES, MASK)
    assert abs(weights[0, 2]) < 1e-9, f"the mask hides key 2 from query 0, but it has weight {weights[0, 2]:.3g}"


@core
def test_weights_are_shares_of_exp_of_the_scores(submission):
    # exp of the scores is 3, 1, (5) and 1, 4, 2: what is visible shares one unit in these proportions.
    weights, expected = weights_of(submission, SCORES, MASK), np.array([[3 / 4, 1 / 4, 0], [1 / 7, 4 / 7, 2 / 7]])
    show_heat_map(weights, expected)
    assert_close(weights, expected, what="the weights")


@core
def test_the_first_of_the_lectures_two_tokens_sees_only_itself(submission):
    weights = weights_of(submission, np.array([[1.0, 3.0], [2.0, 6.0]]), np.array([[True, False], [True, True]]))
    expected = np.array([[1.0, 0.0], [0.01798621, 0.98201379]])
    show_heat_map(weights, expected, "the weights of the lecture's two tokens")
    assert_close(weights, expected, what="the weights of the lecture's two tokens")


@core
def test_a_row_without_keys_has_weights_zero(submission):
    weights = weights_of(submission, SCORES, np.array([[False, False, False], [True, True, True]]))
    expected = np.array([[0, 0, 0], [1 / 7, 4 / 7, 2 / 7]])
    show_heat_map(weights, expected, "the weights where the first query may see nothing")
    assert not np.isnan(weights).any(), "a row with nothing to attend to comes out as NaN"
    assert_close(weights, expected, what="the weights")


@edge
def test_very_large_and_very_low_scores_do_no_harm(submission):
    far = np.array([[1000.0], [0.0], [-20000.0]])
    scores, mask = SCORES[[0, 0, 0]] + far, MASK[[0, 0, 0]]
    expected = np.array([[3 / 4, 1 / 4, 0]] * 3)
    assert_close(weights_of(submission, scores, mask), expected, what="the weights")


@edge
def test_a_hidden_score_may_be_far_above_the_visible_ones(submission):
    scores = SCORES + np.array([[0, 0, 25.0], [0, 0, 0]])
    expected = np.array([[3 / 4, 1 / 4, 0], [1 / 7, 4 / 7, 2 / 7]])
    assert_close(weights_of(submission, scores, MASK), expected, what="the weights")


@edge
def test_a_hidden_score_has_no_say_in_what_is_subtracted(submission):
    scores = SCORES + np.array([[0, 0, 1000.0], [0, 0, 0]])
    expected = np.array([[3 / 4, 1 / 4, 0], [1 / 7, 4 / 7, 2 / 7]])
    weights = weights_of(submission, scores, MASK)
    assert_close(weights, expected, what="the weights where a hidden score is 1000 above the others")


@edge
def test_one_mask_serves_every_sequence_of_a_batch(submission):
    batch = np.stack([SCORES, SCORES[::-1], SCORES + 1])
    expected = np.array([[3 / 4, 1 / 4, 0], [1 / 7, 4 / 7, 2 / 7]])
    assert_close(weights_of(submission, batch, MASK)[2], expected, what="the weights of the last sequence")


@edge
def test_a_batch_may_come_with_a_mask_for_each_sequence(submission):
    weights = weights_of(submission, np.stack([SCORES, SCORES]), np.stack([MASK, ~np.eye(2, 3, k=1, dtype=bool)]))
    assert_row_stochastic(weights)


@edge
def test_float32_stays_float32(submission):
    as_array(submission.masked_softmax(SCORES.astype(np.float32), MASK), dtype=np.float32, what="the weights")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for dtype in (np.float64, np.float16):
        weights = submission.masked_softmax(SCORES.astype(dtype), MASK)
        as_array(weights, dtype=np.float64, what=f"the weights for {np.dtype(dtype)} scores")


@edge
def test_a_mask_of_numbers_is_an_error(submission):
    assert_rejects(submission.masked_softmax, SCORES, MASK.astype(np.int64))


@edge
def test_a_mask_with_more_axes_than_the_scores_is_an_error(submission):
    assert_rejects(submission.masked_softmax, SCORES, np.stack([MASK, MASK]))


@edge
def test_the_scores_are_left_alone(submission):
    assert_unchanged(submission.masked_softmax, SCORES, MASK)
