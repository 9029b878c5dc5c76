"""attention.scores: how well each query matches each key."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_unchanged,
    core,
    edge,
    exercise,
    show_heat_map,
)

pytestmark = exercise("attention.scores")

# Two queries, three keys of width 4, whose root is 2. The dot products are 6, 2, 8 and -2, 10, 0.
Q = np.array([[1.0, 2.0, 0.0, 1.0], [0.0, -1.0, 3.0, 1.0]])
K = np.array([[-1.0, 2.0, -1.0, 3.0], [1.0, 0.0, 3.0, 1.0], [2.0, 3.0, 1.0, 0.0]])
SCORES = np.array([[3.0, 1.0, 4.0], [-1.0, 5.0, 0.0]])


@core
def test_one_row_for_each_query_and_one_column_for_each_key(submission):
    as_array(submission.attention_scores(Q, K), shape=(2, 3), what="the scores of 2 queries and 3 keys")


@core
def test_scores_are_dot_products_over_2_for_vectors_of_width_4(submission):
    scores = submission.attention_scores(Q, K)
    show_heat_map(scores, SCORES, "the scores for d_k = 4")
    assert_close(scores, SCORES, what="the scores for d_k = 4")


@core
def test_scores_are_dot_products_over_3_for_vectors_of_width_9(submission):
    wide_Q, wide_K = (np.pad(array, ((0, 0), (0, 5))) for array in (Q, K))  # zeros add nothing to a dot product
    assert_close(submission.attention_scores(wide_Q, wide_K), SCORES * 2 / 3, what="the scores for d_k = 9")


@core
def test_row_and_column_are_not_exchanged_where_there_are_as_many_keys_as_queries(submission):
    assert_close(submission.attention_scores(Q, K[:2]), SCORES[:, :2], what="the scores of 2 queries and 2 keys")


@core
def test_as_many_keys_as_they_are_wide_are_no_exception(submission):
    keys = np.concatenate([K, K[:1]])  # [4, 4]: here a product without the transpose has the right shape
    got = submission.attention_scores(Q, keys)
    assert_close(got, np.concatenate([SCORES, SCORES[:, :1]], axis=1), what="the scores of 4 keys of width 4")


@edge
def test_a_batch_is_scored_like_its_examples(submission):
    batch_Q, batch_K = np.stack([Q, Q[::-1]]), np.stack([K, K])
    expected = np.stack([SCORES, SCORES[::-1]])
    assert_close(submission.attention_scores(batch_Q, batch_K), expected, what="the scores of a batch")
    got = submission.attention_scores(np.stack([batch_Q] * 3), np.stack([batch_K] * 3))
    assert_close(got, np.stack([expected] * 3), what="the scores for two batch axes")


@edge
def test_float32_stays_float32(submission):
    got = submission.attention_scores(Q.astype(np.float32), K.astype(np.float32))
    as_array(got, dtype=np.float32, what="the scores of float32")


@edge
def test_small_integers_do_not_wrap_around(submission):
    got = submission.attention_scores((10 * Q).astype(np.int8), (10 * K).astype(np.int8))
    assert_close(got, 100 * SCORES, what="the scores of int8")


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.attention_scores, Q, K)


@edge
def test_vectors_of_different_width_are_an_error(submission):
    assert_rejects(submission.attention_scores, Q, K[:, :3])
    assert_rejects(submission.attention_scores, Q[:, :1], K)
