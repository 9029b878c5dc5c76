"""masking.causal: rows are queries, columns are keys, 1 = may attend."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, core, edge, exercise, show_heat_map

pytestmark = exercise("masking.causal")


def picture(text):
    return np.array([[sign == "1" for sign in row] for row in text.split()])


def mask_of(got, shape):
    """Read the mask as true or false; that its dtype must be bool is a test of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


@core
def test_each_token_sees_itself_and_those_before_it(submission):
    mask, expected = mask_of(submission.causal_mask(4), (4, 4)), picture("1000 1100 1110 1111")
    show_heat_map(mask, expected, "the mask for 4 tokens")
    assert not mask[0, 1:].any(), "the first token sees a token that comes after it"
    assert mask.diagonal().all(), "a token does not see itself"
    assert mask[-1].all(), "the last token does not see all tokens before it"
    assert_equal(mask, expected, "the mask for 4 tokens")


@core
def test_two_new_queries_behind_three_cached_keys_stand_at_the_end(submission):
    mask, expected = mask_of(submission.causal_mask(2, 5), (2, 5)), picture("11110 11111")
    show_heat_map(mask, expected, "the mask for 2 queries and 5 keys")
    assert mask[:, :3].all(), "both queries come after the three cached keys and see them all"
    assert not mask[0, 4], "the first of two new queries sees the second"
    assert_equal(mask, expected, "the mask for 2 queries and 5 keys")


@core
def test_a_single_new_query_sees_every_key(submission):
    assert_equal(mask_of(submission.causal_mask(1, 4), (1, 4)), picture("1111"), "the mask for 1 query and 4 keys")


@edge
def test_as_many_keys_as_queries_is_the_square_mask(submission):
    assert_equal(mask_of(submission.causal_mask(3, 3), (3, 3)), picture("100 110 111"), "the mask for T_k = T_q = 3")


@edge
def test_fewer_keys_than_queries_are_an_error(submission):
    assert_rejects(submission.causal_mask, 5, 3)
    assert_rejects(submission.causal_mask, 2, 0)


@edge
def test_the_mask_holds_true_and_false(submission):
    as_array(submission.causal_mask(3), dtype=bool, what="the mask")
