"""context.bigram_probs: each row shares one unit among what may follow. The counts are those of a b a c a b."""

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

pytestmark = exercise("context.bigram_probs")

COUNTS = np.array([[0, 2, 1], [1, 0, 0], [1, 0, 0]])


@core
def test_each_row_sums_to_one(submission):
    got = as_array(submission.bigram_probs(COUNTS), shape=(3, 3), what="the probabilities")
    assert_row_stochastic(got, what="the probabilities")


@core
def test_alpha_is_1_where_it_is_left_out(submission):
    expected = np.array([[1 / 6, 3 / 6, 2 / 6], [2 / 4, 1 / 4, 1 / 4], [2 / 4, 1 / 4, 1 / 4]])
    probabilities = submission.bigram_probs(COUNTS)
    show_heat_map(probabilities, expected, "the probabilities for alpha = 1")
    assert_close(probabilities, expected, what="the probabilities for alpha = 1")


@core
def test_half_a_count_is_added_to_each_of_three(submission):
    expected = np.array([[1 / 9, 5 / 9, 3 / 9], [3 / 5, 1 / 5, 1 / 5], [3 / 5, 1 / 5, 1 / 5]])
    assert_close(submission.bigram_probs(COUNTS, 0.5), expected, what="the probabilities for alpha = 0.5")


@edge
def test_without_smoothing_they_are_the_shares_of_the_counts(submission):
    expected = np.array([[0, 2 / 3, 1 / 3], [1, 0, 0], [1, 0, 0]])
    assert_close(submission.bigram_probs(COUNTS, 0.0), expected, what="the probabilities for alpha = 0")


@edge
def test_without_smoothing_an_unseen_row_is_uniform(submission):
    unseen = COUNTS.copy()
    unseen[1] = 0
    expected = np.array([[0, 2 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3], [1, 0, 0]])
    assert_close(submission.bigram_probs(unseen, 0.0), expected, what="the probabilities, row 1 unseen, alpha = 0")


@edge
def test_a_negative_alpha_is_an_error(submission):
    assert_rejects(submission.bigram_probs, COUNTS, -0.5)


@edge
def test_a_negative_count_is_an_error(submission):
    assert_rejects(submission.bigram_probs, COUNTS - 1, 2.0)


@edge
def test_counts_that_are_not_square_are_an_error(submission):
    assert_rejects(submission.bigram_probs, COUNTS[:2])
    assert_rejects(submission.bigram_probs, COUNTS[0])


@edge
def test_float32_stays_float32(submission):
    got = submission.bigram_probs(COUNTS.astype(np.float32), 0.5)
    as_array(got, dtype=np.float32, what="the probabilities of float32")


@edge
def test_small_integers_and_float16_become_float64(submission):
    counts = np.array([[127, 0], [1, 1]])
    expected = np.array([[128 / 129, 1 / 129], [1 / 2, 1 / 2]])
    for dtype in (np.int8, np.float16):
        got = submission.bigram_probs(counts.astype(dtype), 1)
        assert_close(got, expected, what=f"the probabilities of {np.dtype(dtype)}")


@edge
def test_the_counts_are_left_alone(submission):
    assert_unchanged(submission.bigram_probs, COUNTS, 2)
    assert_unchanged(submission.bigram_probs, COUNTS.astype(np.float64), 0.5)
