"""masking.padding: one row a sequence, 1 = a token, 0 = padding."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.padding")


def picture(text):
    return np.array([[sign == "1" for sign in row] for row in text.split()])


def mask_of(got, shape):
    """Read the mask as true or false; that its dtype must be bool is a test of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


@core
def test_each_sequence_keeps_its_own_tokens(submission):
    lengths = np.array([2, 1, 4])
    mask = mask_of(submission.padding_mask(lengths, 5), (3, 5))
    kept = mask.sum(axis=1).tolist()
    assert kept == [2, 1, 4], f"your rows keep {kept} positions, the sequences have [2, 1, 4] tokens"
    assert_equal(mask, picture("11000 10000 11110"), "the mask for lengths 2, 1, 4 padded to 5")


@edge
def test_an_empty_sequence_is_all_padding(submission):
    mask = mask_of(submission.padding_mask(np.array([0, 2]), 3), (2, 3))
    assert_equal(mask, picture("000 110"), "the mask for lengths 0, 2 padded to 3")


@edge
def test_a_sequence_that_fills_its_row_has_no_padding(submission):
    mask = mask_of(submission.padding_mask(np.array([1, 3]), 3), (2, 3))
    assert_equal(mask, picture("100 111"), "the mask for lengths 1, 3 padded to 3")


@edge
def test_a_single_sequence_is_still_a_batch(submission):
    assert_equal(mask_of(submission.padding_mask(np.array([2]), 3), (1, 3)), picture("110"), "the mask for length 2")


@edge
def test_a_length_beyond_the_row_is_an_error(submission):
    assert_rejects(submission.padding_mask, np.array([2, 4]), 3)


@edge
def test_a_negative_length_is_an_error(submission):
    assert_rejects(submission.padding_mask, np.array([2, -1]), 3)


@edge
def test_lengths_that_are_not_integers_are_an_error(submission):
    assert_rejects(submission.padding_mask, np.array([2.0, 1.0]), 3)


@edge
def test_the_lengths_are_left_alone(submission):
    assert_unchanged(submission.padding_mask, np.array([3, 1]), 4)


@edge
def test_the_mask_holds_true_and_false(submission):
    as_array(submission.padding_mask(np.array([1, 2]), 3), dtype=bool, what="the mask")
