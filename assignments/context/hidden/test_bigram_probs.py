"""What decides the score of `bigram_probs`: smoothed shares of each row, then every edge by itself."""

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
)

pytestmark = exercise("context.bigram_probs")


def table(rng, V=5):
    """Draw counts with a 0 in every row, no empty row and no empty column."""
    counts = rng.integers(1, 9, size=(V, V))
    counts[np.arange(V), rng.permutation(V)] = 0
    return counts


def probabilities(submission, counts, *alpha):
    what = f"the probabilities for alpha = {alpha[0]}" if alpha else "the probabilities for alpha left out"
    return as_array(submission.bigram_probs(counts, *alpha), shape=counts.shape, what=what)


@core
def test_each_row_shares_one_unit_by_its_smoothed_counts(submission, reference, rng):
    for alpha in ((0.25,), (), (3.0,)):
        counts = table(rng)
        got = probabilities(submission, counts, *alpha)
        assert_row_stochastic(got, what="the probabilities")
        assert_close(got, reference.bigram_probs(counts, *alpha), what=f"the probabilities, alpha given as {alpha}")


@edge
def test_without_smoothing_an_unseen_pair_is_impossible(submission, rng):
    counts = table(rng)
    got = probabilities(submission, counts, 0.0)
    assert not got[counts == 0].any(), "a pair that was never seen has a probability though alpha is 0"


@edge
def test_without_smoothing_an_unseen_row_is_uniform(submission, rng):
    counts = table(rng)
    counts[2] = 0
    got = probabilities(submission, counts, 0.0)
    assert_close(got[2].astype(np.float64), np.full(5, 0.2), what="the row of a token that was never followed")


@edge
def test_numbers_below_zero_are_refused(submission, rng):
    counts = table(rng)
    assert_rejects(submission.bigram_probs, counts, -0.5)
    counts[1, 3] = -1
    assert_rejects(submission.bigram_probs, counts, 2.0)


@edge
def test_counts_that_are_not_square_are_refused(submission, rng):
    counts = table(rng)
    assert_rejects(submission.bigram_probs, counts[:, :3], 0.25)
    assert_rejects(submission.bigram_probs, counts[0], 0.25)


@edge
def test_float32_stays_float32(submission, rng):
    counts = table(rng).astype(np.float32)
    as_array(submission.bigram_probs(counts, 0.25), dtype=np.float32, what="the probabilities of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    counts = table(rng)
    counts[3, 1] = 127  # as much as int8 holds
    for dtype in (np.int8, np.int64, np.float16):
        got = as_array(submission.bigram_probs(counts.astype(dtype), 1), what=f"the probabilities of {np.dtype(dtype)}")
        wide = as_array(submission.bigram_probs(counts.astype(np.float64), 1))
        assert_close(got, wide.astype(np.float64), what=f"the probabilities of {np.dtype(dtype)}")


@edge
def test_the_counts_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.bigram_probs, table(rng), 2)
    assert_unchanged(submission.bigram_probs, table(rng).astype(np.float64), 0.25)
