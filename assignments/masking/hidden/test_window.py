"""masking.window: the last few positions."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("masking.window")


def allowed(got, T):
    """Read a mask of any dtype as true or false: which dtype it must have is a question of its own."""
    return as_array(got, shape=(T, T), what="the mask").astype(bool)


def ordinary(rng):
    """Draw (T, window) with rows that the window cuts and rows that it does not."""
    return int(rng.choice([11, 13, 17])), int(rng.choice([3, 5, 7]))


@core
def test_a_token_sees_the_last_positions_itself_included(submission, reference, rng):
    for T, window in (ordinary(rng), (7, 3)):
        mask = allowed(submission.sliding_window_mask(T, window), T)
        assert not np.triu(mask, 1).any(), "a token sees one that comes after it (row = query, column = key)"
        assert mask.diagonal().all(), "a token does not see itself"
        assert mask[-1].sum() == window, f"the last token sees {mask[-1].sum()} positions, its window holds {window}"
        assert mask[1, 0], "the second token has room in its window for the first"
        assert_equal(mask, reference.sliding_window_mask(T, window), "the mask")


@edge
def test_the_narrowest_and_the_widest_window(submission, reference, rng):
    T, beyond = ordinary(rng)
    for window in (1, T, T + beyond):
        mask = allowed(submission.sliding_window_mask(T, window), T)
        assert_equal(
            mask, reference.sliding_window_mask(T, window), f"the mask of a window of {window} over {T} tokens"
        )


@edge
def test_a_window_below_one_is_refused(submission, rng):
    T, window = ordinary(rng)
    assert_rejects(submission.sliding_window_mask, T, 0)
    assert_rejects(submission.sliding_window_mask, T, -window)


@edge
def test_there_may_be_no_tokens_but_not_fewer(submission, rng):
    _, window = ordinary(rng)
    allowed(submission.sliding_window_mask(0, window), 0)
    assert_rejects(submission.sliding_window_mask, -1, window)


@edge
def test_the_mask_is_boolean(submission, rng):
    T, window = ordinary(rng)
    as_array(submission.sliding_window_mask(T, window), dtype=bool, what="the mask")
    as_array(submission.sliding_window_mask(1, window), shape=(1, 1), dtype=bool, what="the mask of a single token")
