"""attention.attention: each query's mean of the values, weighted by its attention."""

import numpy as np

from grader.testing import as_array, assert_close, assert_finite, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.attention")

# d_k is 4, so the scores are half the dot products: the logarithms of 1, 2, 5 and of 4, 3, 1.
Q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
K = np.log([[1.0, 4.0, 2.0, 1.0], [2.0, 3.0, 1.0, 3.0], [5.0, 1.0, 1.0, 2.0]])
V = np.array([[8.0, 0.0, 1.0, 16.0, 2.0], [16.0, 8.0, 1.0, 0.0, -2.0], [24.0, 0.0, 1.0, -8.0, 0.0]])
MASK = np.array([[True, False, True], [True, True, False]])


@core
def test_one_output_row_for_each_query_as_wide_as_the_values(submission):
    as_array(submission.attention(Q, K, V), shape=(2, 5), what="the output of 2 queries and values of width 5")


@core
def test_the_output_is_the_weighted_mean_of_the_values(submission):
    # Weights 1/8, 2/8, 5/8 and 4/8, 3/8, 1/8.
    expected = np.array([[20.0, 2.0, 1.0, -3.0, -0.25], [13.0, 3.0, 1.0, 7.0, 0.25]])
    assert_close(submission.attention(Q, K, V), expected, what="the output")


@core
def test_hidden_values_stay_out_of_the_mean(submission):
    # Weights 1/6, 0, 5/6 and 4/7, 3/7, 0.
    expected = np.array([[128 / 6, 0, 1, -4, 1 / 3], [80 / 7, 24 / 7, 1, 64 / 7, 2 / 7]])
    assert_close(submission.attention(Q, K, V, MASK), expected, what="the masked output")


@core
def test_as_many_queries_as_keys_mix_by_rows_of_the_weights(submission):
    mask = np.array([[True, False], [True, True]])
    expected = np.array([[8.0, 0.0, 1.0, 16.0, 2.0], [80 / 7, 24 / 7, 1, 64 / 7, 2 / 7]])
    assert_close(submission.attention(Q, K[:2], V[:2], mask), expected, what="the causal output of two tokens")


@edge
def test_a_batch_of_one_and_one_of_two_are_mixed_like_their_examples(submission):
    expected = np.array([[20.0, 2.0, 1.0, -3.0, -0.25], [13.0, 3.0, 1.0, 7.0, 0.25]])
    for size in (1, 2):
        got = submission.attention(np.stack([Q] * size), np.stack([K] * size), np.stack([V] * size))
        assert_close(got, np.stack([expected] * size), what=f"the output of a batch of {size}")


@edge
def test_a_query_that_may_see_nothing_gets_0(submission):
    got = submission.attention(Q, K, V, np.array([[False, False, False], [True, True, False]]))
    assert_finite(got, what="the output with a row of nothing")
    assert_close(got[0], np.zeros(5), what="the output where nothing may be seen")


@edge
def test_float32_stays_float32(submission):
    got = submission.attention(*(array.astype(np.float32) for array in (Q, K, V)))
    as_array(got, dtype=np.float32, what="the output of float32")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.attention, Q, K, V, MASK)


@edge
def test_a_value_too_few_is_an_error(submission):
    assert_rejects(submission.attention, Q, K, V[:2])
    assert_rejects(submission.attention, Q, K, V[:1])


@edge
def test_a_mask_of_numbers_is_an_error(submission):
    assert_rejects(submission.attention, Q, K, V, MASK.astype(np.int64))
