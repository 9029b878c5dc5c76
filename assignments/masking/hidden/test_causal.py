"""masking.causal: who comes before whom, alone and behind a cache."""

import numpy as np

from grader.testing import as_array, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("masking.causal")


def allowed(got, shape):
    """Read a mask of any dtype as true or false: which dtype it must have is a question of its own."""
    return as_array(got, shape=shape, what="the mask").astype(bool)


def with_cache(rng):
    """Draw (T_q, T_k) with at least two keys before the first query."""
    return int(rng.choice([2, 3, 5])), int(rng.choice([7, 11, 13]))


@core
def test_a_token_sees_itself_and_those_before_it(submission, reference, rng):
    for T in map(int, rng.choice([3, 5, 7, 11], size=2, replace=False)):
        mask = allowed(submission.causal_mask(T), (T, T))
        assert not np.triu(mask, 1).any(), "a token sees one that comes after it (row = query, column = key)"
        assert mask.diagonal().all(), "a token does not see itself"
        assert_equal(mask, reference.causal_mask(T), "the mask of a sequence without a cache")


@core
def test_behind_a_cache_the_queries_are_the_last_positions(submission, reference, rng):
    T_q, T_k = with_cache(rng)
    mask = allowed(submission.causal_mask(T_q, T_k), (T_q, T_k))
    assert mask[-1].all(), "the last query stands at the last position and sees every key"
    assert mask[0].sum() == T_k - T_q + 1, "the first query sees all keys of the cache and itself, no more"
    assert_equal(mask, reference.causal_mask(T_q, T_k), "the mask behind a cache")
    one = allowed(submission.causal_mask(1, T_k), (1, T_k))
    assert one.all(), "a single new query sees every key"


@edge
def test_fewer_keys_than_queries_are_refused(submission, rng):
    T_q, T_k = with_cache(rng)
    assert_rejects(submission.causal_mask, T_k, T_q)
    assert_rejects(submission.causal_mask, T_q, 0)


@edge
def test_there_may_be_no_queries_but_not_fewer(submission, rng):
    _, T_k = with_cache(rng)
    allowed(submission.causal_mask(0, T_k), (0, T_k))
    assert_rejects(submission.causal_mask, -1)
    assert_rejects(submission.causal_mask, -1, T_k)


@edge
def test_the_mask_is_boolean(submission, rng):
    T_q, T_k = with_cache(rng)
    as_array(submission.causal_mask(T_q, T_k), dtype=bool, what="the mask")
    as_array(submission.causal_mask(1, 1), shape=(1, 1), dtype=bool, what="the mask of a single token")
