"""masking.window: rows are queries, columns are keys, 1 = may attend."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, core, edge, exercise, show_heat_map

pytestmark = exercise("masking.window")


def picture(text):
    return np.array([[sign == "1" for sign in row] for row in text.split()])


def mask_of(got, shape):
    """Read the mask as true or false; that its dtype must be bool is a test of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


@core
def test_a_window_of_three_is_a_token_and_the_two_before_it(submission):
    mask = mask_of(submission.sliding_window_mask(6, 3), (6, 6))
    expected = picture("100000 110000 111000 011100 001110 000111")
    show_heat_map(mask, expected, "the mask for 6 tokens, window 3")
    assert not np.triu(mask, 1).any(), "a token sees one that comes after it"
    assert mask.diagonal().all(), "a token does not see itself"
    assert mask[-1].sum() == 3, f"the last token sees {mask[-1].sum()} positions; with a window of 3 it should see 3"
    assert_equal(mask, expected, "the mask for 6 tokens, window 3")


@core
def test_the_first_tokens_see_what_there_is(submission):
    mask = mask_of(submission.sliding_window_mask(4, 3), (4, 4))
    assert_equal(mask, picture("1000 1100 1110 0111"), "the mask for 4 tokens, window 3")


@edge
def test_a_window_of_one_shows_each_token_only_itself(submission):
    mask = mask_of(submission.sliding_window_mask(3, 1), (3, 3))
    assert_equal(mask, picture("100 010 001"), "the mask for 3 tokens, window 1")


@edge
def test_a_window_wider_than_the_sequence_is_the_causal_mask(submission):
    mask = mask_of(submission.sliding_window_mask(3, 8), (3, 3))
    assert_equal(mask, picture("100 110 111"), "the mask for 3 tokens, window 8")


@edge
def test_a_window_below_one_is_an_error(submission):
    assert_rejects(submission.sliding_window_mask, 4, 0)
    assert_rejects(submission.sliding_window_mask, 4, -2)


@edge
def test_the_mask_holds_true_and_false(submission):
    as_array(submission.sliding_window_mask(4, 2), dtype=bool, what="the mask")
