"""masking.combine: both masks have to allow it."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.combine")


def allowed(got, shape):
    """Read a mask of any dtype as true or false: which dtype it must have is a question of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


def masks_for(lengths, T):
    return np.tri(T, dtype=bool), np.arange(T) < np.asarray(lengths)[:, None]


def ordinary(rng):
    """Draw masks of three sequences, the first neither longest nor shortest, each with some padding."""
    T = int(rng.choice([5, 7, 11]))
    short, middle, long = sorted(rng.choice(np.arange(1, T), size=3, replace=False))
    return masks_for([middle, short, long], T)


@core
def test_a_key_is_seen_where_both_masks_allow_it(submission, reference, rng):
    causal, padding = ordinary(rng)
    B, T = padding.shape
    # Padded on the left, as batches for generation are: here hiding keys and hiding queries differ most.
    left = padding[:, ::-1].copy()
    for where, tokens in (("on the left", left), ("on the right", padding), ("nowhere", np.ones_like(padding))):
        mask = allowed(submission.combine_masks(causal, tokens), (B, 1, T, T))
        assert not (mask & ~causal).any(), "a token sees one that comes after it"
        assert not (mask & ~tokens[:, None, None, :]).any(), "a token attends to padding"
        assert_equal(mask, reference.combine_masks(causal, tokens), f"the mask with padding {where}")


@edge
def test_a_batch_as_large_as_the_sequence_is_long(submission, rng):
    T = int(rng.choice([5, 7]))
    causal, padding = masks_for([1, *sorted(rng.integers(2, T, size=T - 1))], T)
    mask = allowed(submission.combine_masks(causal, padding), (T, 1, T, T))
    assert_equal(mask[:, 0, -1], padding, "what the last query of each sequence sees, where B = T")
    one = allowed(submission.combine_masks(causal, padding[:1]), (1, 1, T, T))
    assert_equal(one[0, 0, -1], padding[0], "what the last query sees, where B = 1")


@edge
def test_masks_of_different_length_are_refused(submission, rng):
    causal, padding = ordinary(rng)
    assert_rejects(submission.combine_masks, causal, padding[:, :1])
    assert_rejects(submission.combine_masks, causal, np.hstack([padding, padding]))


@edge
def test_masks_that_are_not_boolean_are_refused(submission, rng):
    causal, padding = ordinary(rng)
    assert_rejects(submission.combine_masks, causal, padding.astype(np.int64))
    assert_rejects(submission.combine_masks, causal.astype(np.int64), padding)


@edge
def test_the_masks_stay_as_they_were(submission, rng):
    assert_unchanged(submission.combine_masks, *ordinary(rng))


@edge
def test_the_mask_is_boolean(submission, rng):
    as_array(submission.combine_masks(*ordinary(rng)), dtype=bool, what="the mask")


@edge
def test_an_empty_sequence_shows_nothing(submission, rng):
    causal, padding = ordinary(rng)
    padding[1] = False
    mask = allowed(submission.combine_masks(causal, padding), (len(padding), 1, *causal.shape))
    assert not mask[1].any(), "a sequence of length 0 has no key to attend to"
