"""attention.weights: each query shares one unit of attention among the keys that it may see."""

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

pytestmark = exercise("attention.weights")

# d_k is 4, so the scores are half the dot products: the logarithms of 1, 2, 5 and of 4, 3, 1.
Q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
K = np.log([[1.0, 4.0, 2.0, 1.0], [2.0, 3.0, 1.0, 3.0], [5.0, 1.0, 1.0, 2.0]])
MASK = np.array([[True, False, True], [True, True, False]])


@core
def test_each_row_sums_to_one(submission):
    assert_row_stochastic(submission.attention_weights(Q, K))


@core
def test_without_a_mask_all_keys_share(submission):
    weights, expected = submission.attention_weights(Q, K), np.array([[1, 2, 5], [4, 3, 1]]) / 8
    show_heat_map(weights, expected)
    assert_close(weights, expected, what="the weights")


@core
def test_each_row_sums_to_one_under_a_mask_too(submission):
    assert_row_stochastic(submission.attention_weights(Q, K, MASK), what="the masked weights")


@core
def test_a_hidden_key_has_no_share_and_the_others_take_it_over(submission):
    weights, expected = submission.attention_weights(Q, K, MASK), np.array([[1 / 6, 0, 5 / 6], [4 / 7, 3 / 7, 0]])
    show_heat_map(weights, expected, "the masked weights")
    assert_close(weights, expected, what="the masked weights")


@edge
def test_a_batch_with_masks_of_its_own_is_weighed_like_its_examples(submission):
    masks = np.stack([MASK, np.ones((2, 3), dtype=bool)])
    got = submission.attention_weights(np.stack([Q, Q]), np.stack([K, K]), masks)
    expected = np.stack([[[1 / 6, 0, 5 / 6], [4 / 7, 3 / 7, 0]], np.array([[1, 2, 5], [4, 3, 1]]) / 8])
    assert_close(got, expected, what="the weights of a batch")
    heads = [np.broadcast_to(array, (2, 3, *array.shape)) for array in (Q, K)]  # two sequences of three heads
    got = submission.attention_weights(*heads, masks[:, None])
    assert_close(got, np.stack([expected] * 3, axis=1), what="the weights of heads that share their sequence's mask")


@edge
def test_one_row_of_mask_serves_all_queries(submission):
    expected = np.array([[1 / 6, 0, 5 / 6], [4 / 5, 0, 1 / 5]])
    assert_close(submission.attention_weights(Q, K, MASK[0]), expected, what="the weights with a mask of shape (3,)")


@edge
def test_a_query_that_may_see_nothing_has_weights_0(submission):
    got = submission.attention_weights(Q, K, np.array([[False, False, False], [True, True, False]]))
    assert_finite(got, what="the weights with a row of nothing")
    assert_close(got, np.array([[0, 0, 0], [4 / 7, 3 / 7, 0]]), what="the weights with a row of nothing")


@edge
def test_hidden_keys_get_nothing_where_all_scores_are_very_low(submission):
    # The same number taken off every key takes the same off every score of a row: no weight changes.
    got = submission.attention_weights(Q, K - 300.0, MASK)
    expected = np.array([[1 / 6, 0, 5 / 6], [4 / 7, 3 / 7, 0]])
    assert_close(got, expected, what="the weights where every score is about -300")


@edge
def test_float32_stays_float32(submission):
    got = submission.attention_weights(Q.astype(np.float32), K.astype(np.float32), MASK)
    as_array(got, dtype=np.float32, what="the weights of float32")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.attention_weights, Q, K, MASK)


@edge
def test_a_mask_of_numbers_is_an_error(submission):
    assert_rejects(submission.attention_weights, Q, K, MASK.astype(np.int64))
    assert_rejects(submission.attention_weights, Q, K, np.where(MASK, 0.0, -1e9))


@edge
def test_a_mask_with_more_axes_than_the_scores_is_an_error(submission):
    assert_rejects(submission.attention_weights, Q, K, np.stack([MASK, MASK]))
