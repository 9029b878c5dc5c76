"""masking.combine: rows are queries, columns are keys, 1 = may attend."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("masking.combine")

CAUSAL = "100 110 111"


def picture(text):
    return np.array([[sign == "1" for sign in row] for row in text.split()])


def mask_of(got, shape):
    """Read the mask as true or false; that its dtype must be bool is a test of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


@core
def test_a_key_is_seen_where_both_masks_allow_it(submission):
    mask = mask_of(submission.combine_masks(picture(CAUSAL), picture("110 111")), (2, 1, 3, 3))
    assert not mask[0, 0, :, 2].any(), "in a sequence of 2 tokens, the third key is padding and nobody sees it"
    assert mask[0, 0, 2, 0], "the third query is padding, but it still attends: only keys are hidden"
    assert_equal(mask[0, 0], picture("100 110 110"), "the mask of a sequence of 2 tokens, padded to 3")
    assert_equal(mask[1, 0], picture(CAUSAL), "the mask of a sequence of 3 tokens")


@core
def test_padding_on_the_left_hides_keys_just_the_same(submission):
    mask = mask_of(submission.combine_masks(picture(CAUSAL), picture("011 111")), (2, 1, 3, 3))
    assert not mask[0, 0, :, 0].any(), "the first key is padding and nobody sees it"
    assert_equal(mask[0, 0], picture("000 010 011"), "the mask of a sequence of 2 tokens, padded on the left")
    assert_equal(mask[1, 0], picture(CAUSAL), "the mask of a sequence of 3 tokens")


@edge
def test_three_sequences_of_length_three_each_keep_their_own_padding(submission):
    padding = picture("100 110 110")
    mask = mask_of(submission.combine_masks(picture(CAUSAL), padding), (3, 1, 3, 3))
    assert_equal(mask[:, 0, -1], padding, "what the last query of each sequence sees")


@edge
def test_the_longer_of_two_sequences_keeps_its_tokens(submission):
    mask = mask_of(submission.combine_masks(picture("10 11"), picture("11 10 11")), (3, 1, 2, 2))
    assert_equal(mask[:, 0, -1], picture("11 10 11"), "what the last query of each sequence sees")


@edge
def test_an_empty_sequence_shows_nothing(submission):
    mask = mask_of(submission.combine_masks(picture(CAUSAL), picture("110 000")), (2, 1, 3, 3))
    assert not mask[1].any(), "in a sequence of length 0 there is nothing to attend to"


@edge
def test_a_padding_mask_of_another_length_is_an_error(submission):
    assert_rejects(submission.combine_masks, picture(CAUSAL), picture("1 1"))
    assert_rejects(submission.combine_masks, picture(CAUSAL), picture("1111 1110"))


@edge
def test_masks_of_numbers_are_an_error(submission):
    assert_rejects(submission.combine_masks, picture(CAUSAL), picture("110 111").astype(np.int64))


@edge
def test_the_masks_are_left_alone(submission):
    assert_unchanged(submission.combine_masks, picture(CAUSAL), picture("100 111"))


@edge
def test_the_mask_holds_true_and_false(submission):
    as_array(submission.combine_masks(picture(CAUSAL), picture("100 110")), dtype=bool, what="the mask")
