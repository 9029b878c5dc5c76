"""masking.apply: hidden scores become -inf, the others stay."""

import numpy as np

from grader.testing import as_array, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.apply")


def some_of_each(rng, shape):
    """Draw a mask that allows the first key and forbids the last in each row."""
    mask = rng.random(shape) < 0.5
    mask[..., 0], mask[..., -1] = True, False
    return mask


def masked_by(submission, scores, mask):
    got = submission.apply_mask(scores, mask)
    return as_array(got, shape=scores.shape, what=f"scores {scores.shape} under a mask {mask.shape}")


def out_of_sight(masked, scores):
    """Where a softmax notices nothing: exactly -inf is a question of its own."""
    return masked < scores.min() - 1e4


@core
def test_hidden_scores_drop_out_and_the_others_stay(submission, rng):
    scores, mask = rng.normal(size=(5, 7)), some_of_each(rng, (5, 7))
    masked = masked_by(submission, scores, mask)
    seen = ~mask & ~out_of_sight(masked, scores)
    assert not seen.any(), f"{seen.sum()} of {(~mask).sum()} hidden scores are not far below every visible one"
    assert_close(masked[mask].astype(np.float64), scores[mask], rtol=1e-6, what="the visible scores")


@edge
def test_hidden_scores_are_exactly_minus_infinity(submission, rng):
    scores, mask = rng.normal(size=(5, 7)), some_of_each(rng, (5, 7))
    masked = masked_by(submission, scores, mask)
    assert np.isneginf(masked[~mask]).all(), "a hidden score is exactly -inf, not a low number"


@edge
def test_one_mask_serves_a_whole_batch(submission, rng):
    B, H, T_q, T_k = 2, 3, 5, 7
    for batch, mask_shape in (
        ((B,), (B, T_q, T_k)),
        ((B,), (T_q, T_k)),
        ((B, H), (B, 1, T_q, T_k)),
        ((B, H), (B, 1, 1, T_k)),
    ):
        scores, mask = rng.normal(size=(*batch, T_q, T_k)), some_of_each(rng, mask_shape)
        hidden = out_of_sight(masked_by(submission, scores, mask), scores)
        assert_equal(hidden, ~np.broadcast_to(mask, scores.shape), f"what a mask {mask_shape} hides")


@edge
def test_a_mask_larger_than_the_scores_is_refused(submission, rng):
    scores, mask = rng.normal(size=(5, 7)), some_of_each(rng, (3, 5, 7))
    assert_rejects(submission.apply_mask, scores, mask)
    assert_rejects(submission.apply_mask, scores[None], mask)


@edge
def test_a_mask_of_numbers_is_refused(submission, rng):
    scores, mask = rng.normal(size=(5, 7)), some_of_each(rng, (5, 7))
    assert_rejects(submission.apply_mask, scores, mask.astype(np.int64))
    assert_rejects(submission.apply_mask, scores, np.where(mask, 0.0, -np.inf))


@edge
def test_the_scores_stay_as_they_were(submission, rng):
    assert_unchanged(submission.apply_mask, rng.normal(size=(5, 7)), some_of_each(rng, (5, 7)))


@edge
def test_float32_stays_and_all_else_becomes_float64(submission, rng):
    whole, mask = rng.integers(-9, 10, size=(5, 7)), some_of_each(rng, (5, 7))
    for dtype, computed in (
        (np.float32, np.float32),
        (np.float64,) * 2,
        (np.int64, np.float64),
        (np.float16, np.float64),
    ):
        masked = submission.apply_mask(whole.astype(dtype), mask)
        as_array(masked, dtype=computed, what=f"the result for {np.dtype(dtype)} scores")


@edge
def test_a_row_that_is_hidden_altogether_stays_hidden(submission, rng):
    scores, mask = rng.normal(size=(5, 7)), some_of_each(rng, (5, 7))
    mask[2] = False
    hidden = out_of_sight(masked_by(submission, scores, mask), scores)
    assert hidden[2].all(), "a row with nothing to attend to has no visible score left"
