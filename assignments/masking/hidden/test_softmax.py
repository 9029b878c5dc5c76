"""masking.softmax: each query shares one unit of attention among the keys it may see, if any."""

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

pytestmark = exercise("masking.softmax")


def some_of_each(rng, shape):
    """Draw a mask that allows the first two keys and forbids the last in each row."""
    mask = rng.random(shape) < 0.5
    mask[..., :2], mask[..., -1] = True, False
    return mask


def weights_of(submission, scores, mask):
    """Return the weights as float64: in which dtype they have to come is a question of its own."""
    what = f"the weights of scores {scores.shape} under a mask {mask.shape}"
    return as_array(submission.masked_softmax(scores, mask), shape=scores.shape, what=what).astype(np.float64)


def check(weights, scores, mask, reference):
    """Check that hidden keys get nothing, that rows sum to 1 or to 0, and the values."""
    empty = ~mask.any(axis=-1)
    assert not np.nan_to_num(weights[empty], nan=1).any(), "a row with nothing to attend to has weights 0"
    assert np.isfinite(weights).all(), f"{(~np.isfinite(weights)).sum()} weights are not finite"
    assert (np.abs(weights[~mask]) < 1e-9).all(), "a key that the mask forbids still has weight"
    assert_row_stochastic(weights, empty=empty)
    # Wide enough for float32: what is lost by computing in it is a question of its own.
    assert_close(weights, reference.masked_softmax(scores, mask), rtol=1e-5, what="the weights")


@core
def test_each_row_shares_one_unit_among_the_keys_it_may_see(submission, reference, rng):
    scores, mask = rng.uniform(-1, 1, size=(5, 7)), some_of_each(rng, (5, 7))
    check(weights_of(submission, scores, mask), scores, mask, reference)
    lecture, causal = np.array([[1.0, 3.0], [2.0, 6.0]]), np.tri(2, dtype=bool)
    check(weights_of(submission, lecture, causal), lecture, causal, reference)
    with_empty_row = mask & (np.arange(5) != rng.integers(5))[:, None]
    for dtype in (np.float64, np.float32):
        weights = weights_of(submission, scores.astype(dtype), with_empty_row)
        check(weights, scores.astype(dtype).astype(np.float64), with_empty_row, reference)


@edge
def test_rows_a_long_way_from_zero_and_from_each_other(submission, reference, rng):
    scores, mask = rng.uniform(-1, 1, size=(5, 7)), some_of_each(rng, (5, 7))
    scores += rng.permutation([2e4, 1e3, 0, -1e3, -2e4])[:, None]
    weights = weights_of(submission, scores, mask)
    assert_row_stochastic(weights)
    assert_close(weights, reference.masked_softmax(scores, mask), what="the weights")


@edge
def test_hidden_scores_far_above_the_visible_ones(submission, reference, rng):
    scores, mask = rng.uniform(-1, 1, size=(5, 7)), some_of_each(rng, (5, 7))
    for above in (25, rng.uniform(1500, 3000)):  # where less is left than a guard adds; where nothing is left
        high = np.where(mask, scores, scores + above)
        weights = weights_of(submission, high, mask)
        assert_row_stochastic(weights)
        assert_close(weights, reference.masked_softmax(high, mask), what="the weights")


@edge
def test_a_batch_under_one_mask(submission, reference, rng):
    B, H, T_q, T_k = 2, 3, 5, 7
    for batch, mask_shape in (((B,), (B, T_q, T_k)), ((B, H), (T_q, T_k)), ((B, H), (B, 1, 1, T_k))):
        scores, mask = rng.uniform(-1, 1, size=(*batch, T_q, T_k)), some_of_each(rng, mask_shape)
        expected = reference.masked_softmax(scores, mask)
        assert_close(weights_of(submission, scores, mask), expected, what=f"the weights under a mask {mask_shape}")


@edge
def test_float32_stays_and_all_else_becomes_float64(submission, reference, rng):
    eighths, mask = rng.integers(-8, 9, size=(5, 7)) / 8, some_of_each(rng, (5, 7))
    for dtype in (np.float32, np.float64, np.float16, np.int64):
        scores = eighths.astype(dtype)
        expected = reference.masked_softmax(scores, mask)
        assert_close(submission.masked_softmax(scores, mask), expected, what=f"the weights of {np.dtype(dtype)} scores")


@edge
def test_a_mask_that_does_not_fit_is_refused(submission, rng):
    scores, mask = rng.uniform(-1, 1, size=(5, 7)), some_of_each(rng, (3, 5, 7))
    assert_rejects(submission.masked_softmax, scores, mask[0].astype(np.int64))
    assert_rejects(submission.masked_softmax, scores, mask)
    assert_rejects(submission.masked_softmax, scores[None], mask)


@edge
def test_the_scores_stay_as_they_were(submission, rng):
    assert_unchanged(submission.masked_softmax, rng.uniform(-1, 1, size=(5, 7)), some_of_each(rng, (5, 7)))
