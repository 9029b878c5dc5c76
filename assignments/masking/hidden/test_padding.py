"""masking.padding: which positions hold a token."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.padding")


def allowed(got, shape):
    """Read a mask of any dtype as true or false: which dtype it must have is a question of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


def ordinary(rng):
    """Draw three different lengths, the first neither longest nor shortest, none of them 0 or T."""
    T = int(rng.choice([7, 11, 13]))
    short, middle, long = sorted(rng.choice(np.arange(1, T), size=3, replace=False))
    return np.array([middle, short, long]), T


@core
def test_each_row_keeps_its_tokens(submission, reference, rng):
    lengths, T = ordinary(rng)
    mask = allowed(submission.padding_mask(lengths, T), (3, T))
    for b, n in enumerate(lengths):
        assert mask[b].sum() == n, f"row {b} keeps {mask[b].sum()} positions, its sequence has {n} tokens"
        assert mask[b, :n].all(), f"row {b} hides a token: sequences start at position 0, padding is on the right"
    assert_equal(mask, reference.padding_mask(lengths, T), "the mask")


@edge
def test_a_sequence_may_be_empty_or_fill_its_row(submission, rng):
    lengths, T = ordinary(rng)
    empty = allowed(submission.padding_mask(np.zeros_like(lengths), T), (3, T))
    assert not empty.any(), "a sequence of length 0 has no tokens"
    full = allowed(submission.padding_mask(np.full_like(lengths, T), T), (3, T))
    assert full.all(), "a sequence of length T has no padding"


@edge
def test_a_length_out_of_range_is_refused(submission, rng):
    lengths, T = ordinary(rng)
    assert_rejects(submission.padding_mask, lengths[:, None], T)
    assert_rejects(submission.padding_mask, np.where([False, False, True], T + 1, lengths), T)
    assert_rejects(submission.padding_mask, np.where([False, True, False], -1, lengths), T)


@edge
def test_lengths_that_are_not_integers_are_refused(submission, rng):
    lengths, T = ordinary(rng)
    for dtype in (np.float64, np.float32):
        assert_rejects(submission.padding_mask, lengths.astype(dtype), T)


@edge
def test_there_may_be_no_positions_but_not_fewer(submission, rng):
    lengths, _ = ordinary(rng)
    allowed(submission.padding_mask(np.zeros_like(lengths), 0), (3, 0))
    assert_rejects(submission.padding_mask, lengths[:0], -1)


@edge
def test_the_lengths_stay_as_they_were(submission, rng):
    assert_unchanged(submission.padding_mask, *ordinary(rng))


@edge
def test_the_mask_is_boolean(submission, rng):
    lengths, T = ordinary(rng)
    for dtype in (np.int64, np.int32):
        mask = submission.padding_mask(lengths.astype(dtype), T)
        as_array(mask, shape=(3, T), dtype=bool, what=f"the mask for {np.dtype(dtype)} lengths")


@edge
def test_a_batch_of_one_keeps_its_axis(submission, reference, rng):
    lengths, T = ordinary(rng)
    mask = allowed(submission.padding_mask(lengths[:1], T), (1, T))
    assert_equal(mask, reference.padding_mask(lengths[:1], T), "the mask of one sequence")
