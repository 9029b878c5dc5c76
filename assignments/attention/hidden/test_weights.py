"""What decides the score of `attention_weights`: rows that are distributions, masked or not, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.weights")


def queries_and_keys(rng, *lead):
    return rng.standard_normal((*lead, 5, 11)), rng.standard_normal((*lead, 7, 11))


def some_mask(rng, *lead):
    """In every row four keys to attend to and three to leave alone."""
    rows = np.broadcast_to([True, True, True, True, False, False, False], (*lead, 5, 7))
    return rng.permuted(rows, axis=-1)


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


def weighed(submission, Q, K, *mask, what="the weights"):
    got = submission.attention_weights(Q, K, *mask)
    return as_array(got, shape=(*Q.shape[:-1], K.shape[-2]), what=what)


@core
def test_without_a_mask_each_row_is_the_softmax_of_the_scores(submission, reference, rng):
    Q, K = queries_and_keys(rng)
    got = weighed(submission, Q, K)
    assert_row_stochastic(got)
    assert_close(got, reference.attention_weights(Q, K), what="the weights")


@core
def test_with_a_mask_hidden_keys_get_nothing_and_rows_still_sum_to_one(submission, reference, rng):
    Q, K = queries_and_keys(rng)
    mask = some_mask(rng)
    got = weighed(submission, Q, K, mask, what="the masked weights")
    assert_row_stochastic(got, what="the masked weights")
    assert_close(got[~mask], np.zeros(15), what="the weights of hidden keys")
    assert_close(got, reference.attention_weights(Q, K, mask), what="the masked weights")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3)):
        Q, K = queries_and_keys(rng, *lead)
        mask = some_mask(rng, *lead)
        got = weighed(submission, Q, K, mask, what=f"the weights of a batch of shape {lead}")
        for index in np.ndindex(*lead):
            alone = weighed(submission, Q[index], K[index], mask[index])
            assert_close(got[index], alone, what=f"the weights of one pair out of a batch of shape {lead}")
        # A single query keeps its axis, in a batch and by itself.
        for place in (..., index):
            what = "the weights of a single query"
            single = weighed(submission, Q[place][..., :1, :], K[place], mask[place][..., :1, :], what=what)
            assert_close(single, got[place][..., :1, :], what=what)


@edge
def test_a_smaller_mask_is_broadcast(submission, rng):
    Q, K = queries_and_keys(rng, 2, 3)
    some = some_mask(rng, 2, 1)  # a mask for each sequence, shared by its heads
    for mask in (some[0, 0, 0], some[0, 0], some[0, 0, :1], some[..., :1, :], some):
        got = weighed(submission, Q, K, mask, what=f"the weights with a mask of shape {mask.shape}")
        whole = weighed(submission, Q, K, np.array(np.broadcast_to(mask, (2, 3, 5, 7))))
        assert_close(got, whole, what=f"a mask of shape {mask.shape} against the same mask written out")


@edge
def test_a_row_with_nothing_to_attend_to_has_weights_0(submission, rng):
    Q, K = queries_and_keys(rng)
    mask = some_mask(rng)
    partly = weighed(submission, Q, K, mask)
    empty = np.array([False, True, False, True, False])
    mask = mask & ~empty[:, np.newaxis]
    for dtype, other in ((np.float64, partly), (np.float32, partly.astype(np.float32))):
        got = weighed(submission, Q.astype(dtype), K.astype(dtype), mask, what="the weights with rows of nothing")
        got = got.astype(dtype)
        assert_close(got[empty], np.zeros((2, 7), dtype), what="rows with nothing to attend to")
        assert_close(got[~empty], other[~empty], what="the other rows")


@edge
def test_hidden_keys_get_nothing_however_low_the_others_score(submission, rng):
    Q, K = queries_and_keys(rng)
    Q, mask = np.abs(Q), some_mask(rng)
    expected = weighed(submission, Q, K, mask)
    # The same vector added to every key moves each row of scores by a constant, here by some hundreds: no change.
    got = weighed(submission, Q, K - 150.0, mask, what="the weights where every score is very low")
    assert_close(got[~mask], np.zeros(15), what="the weights of hidden keys where every score is very low")
    assert_close(got, expected, rtol=1e-6, atol=1e-8, what="the weights where every score is very low")


@edge
def test_a_mask_that_is_not_boolean_is_refused(submission, rng):
    Q, K = queries_and_keys(rng)
    mask = some_mask(rng)
    assert_rejects(submission.attention_weights, Q, K, mask.astype(np.int64))
    assert_rejects(submission.attention_weights, Q, K, np.where(mask, 0.0, -1e9))


@edge
def test_what_does_not_fit_is_refused(submission, rng):
    Q, K = queries_and_keys(rng)
    assert_rejects(submission.attention_weights, Q, K[:, :6])
    assert_rejects(submission.attention_weights, Q, K[:, :1])
    assert_rejects(submission.attention_weights, Q, K, some_mask(rng, 2))
    assert_rejects(submission.attention_weights, Q, K, some_mask(rng)[:, :5])


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    Q, K = (np.round(2 * array) / 2 for array in queries_and_keys(rng))  # halves are exact in every dtype
    wide = weighed(submission, Q, K, mask := some_mask(rng))
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        what = f"the weights of {np.dtype(dtype)}"
        got = weighed(submission, Q.astype(dtype), K.astype(dtype), mask, what=what)
        assert_close(got.astype(np.float64), wide, rtol=1e-2, atol=1e-3, what=what)
        assert_close(got, wide.astype(result), what=what)
    for place, name in enumerate("QK"):
        what = f"the weights where {name} alone is float32"
        assert_close(weighed(submission, *one_float32((Q, K), place), mask, what=what), wide, what=what)


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.attention_weights, *queries_and_keys(rng), some_mask(rng))
