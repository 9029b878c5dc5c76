"""masking.apply: what the mask forbids becomes -inf, the rest stays."""

import numpy as np

from grader.testing import as_array, assert_close, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.apply")

SCORES = np.array([[1.0, 3.0, -2.0], [2.0, 6.0, 0.5]])
MASK = np.array([[True, False, False], [True, True, False]])
HIDDEN = -np.inf


def masked_by(submission, scores, mask):
    """Read the result as float64; which dtype it must have is a test of its own."""
    what = f"scores {scores.shape} under a mask {mask.shape}"
    return as_array(submission.apply_mask(scores, mask), shape=scores.shape, what=what).astype(np.float64)


@core
def test_visible_scores_stay_as_they_are(submission):
    masked = masked_by(submission, SCORES, MASK)
    assert_close(masked[MASK], SCORES[MASK], what="the scores where the mask is True")


@core
def test_hidden_scores_fall_out_of_sight(submission):
    masked = masked_by(submission, SCORES, MASK)
    assert (masked[~MASK] < -1e4).all(), f"where the mask is False, your scores are {masked[~MASK].tolist()}"


@edge
def test_hidden_scores_are_exactly_minus_infinity(submission):
    masked = masked_by(submission, SCORES, MASK)
    assert_close(masked, np.array([[1.0, HIDDEN, HIDDEN], [2.0, 6.0, HIDDEN]]), what="the masked scores")


@edge
def test_one_mask_serves_every_sequence_of_a_batch(submission):
    batch = np.stack([SCORES, -SCORES, SCORES + 1])
    masked = masked_by(submission, batch, MASK)
    places = np.broadcast_to(~MASK, batch.shape)
    assert_equal(masked < -1e4, places, what="where the scores of three sequences are hidden by one mask")
    heads, own = np.stack([batch, batch]), np.stack([MASK, ~MASK])[:, None]  # two sequences of three heads
    masked = masked_by(submission, heads, own)
    places = np.broadcast_to(~own, heads.shape)
    assert_equal(masked < -1e4, places, what="where the scores of three heads are hidden by the mask of their sequence")


@edge
def test_a_row_without_keys_is_hidden_altogether(submission):
    masked = masked_by(submission, SCORES, np.array([[True, True, True], [False, False, False]]))
    assert (masked[1] < -1e4).all(), "a row whose mask is all False has no visible score"


@edge
def test_a_mask_with_more_axes_than_the_scores_is_an_error(submission):
    assert_rejects(submission.apply_mask, SCORES, np.stack([MASK, MASK]))


@edge
def test_a_mask_longer_than_an_axis_of_one_is_an_error(submission):
    assert_rejects(submission.apply_mask, SCORES[None], np.stack([MASK, MASK]))


@edge
def test_a_mask_of_numbers_is_an_error(submission):
    assert_rejects(submission.apply_mask, SCORES, MASK.astype(np.int64))


@edge
def test_the_scores_are_left_alone(submission):
    assert_unchanged(submission.apply_mask, SCORES, MASK)


@edge
def test_float32_stays_float32(submission):
    as_array(submission.apply_mask(SCORES.astype(np.float32), MASK), dtype=np.float32, what="the masked scores")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for dtype in (np.float64, np.int64, np.float16):
        masked = submission.apply_mask(SCORES.astype(dtype), MASK)
        as_array(masked, dtype=np.float64, what=f"the result for {np.dtype(dtype)} scores")
