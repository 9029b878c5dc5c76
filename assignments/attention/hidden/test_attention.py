"""What decides the score of `attention`: the weighted mean, with and without a mask, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_finite, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.attention")


def queries_keys_values(rng, *lead):
    return tuple(rng.standard_normal((*lead, *shape)) for shape in ((5, 11), (7, 11), (7, 13)))


def some_mask(rng, *lead):
    """In every row four keys to attend to and three to leave alone."""
    rows = np.broadcast_to([True, True, True, True, False, False, False], (*lead, 5, 7))
    return rng.permuted(rows, axis=-1)


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


def one_float64(arrays, place):
    """The arrays in float32 save one, which is reason enough to compute in float64."""
    return [array if at == place else array.astype(np.float32) for at, array in enumerate(arrays)]


def attended(submission, Q, K, V, *mask, what="the output"):
    got = submission.attention(Q, K, V, *mask)
    return as_array(got, shape=(*Q.shape[:-1], V.shape[-1]), what=what)


@core
def test_each_output_is_a_mean_of_the_values_weighted_by_attention(submission, reference, rng):
    Q, K, V = queries_keys_values(rng)
    got = attended(submission, Q, K, V)
    outside = (got < V.min(axis=0) - 1e-9) | (got > V.max(axis=0) + 1e-9)
    assert not outside.any(), "a weighted mean of the values cannot leave their range, but your output does"
    assert_close(got, reference.attention(Q, K, V), what="the output")


@core
def test_with_a_causal_mask_a_token_reaches_all_later_outputs_and_no_earlier_one(submission, reference, rng):
    X = rng.standard_normal((5, 7))
    matrices = [rng.standard_normal((7, width)) / np.sqrt(7) for width in (11, 11, 13)]
    mask = np.tri(5, dtype=bool)
    got = attended(submission, *(X @ W for W in matrices), mask)
    assert_finite(got, what="the causal output")
    for t in (0, 2):
        changed = X.copy()
        changed[t] += 2 * rng.standard_normal(7)
        moved = np.abs(attended(submission, *(changed @ W for W in matrices), mask) - got).max(axis=-1)
        assert not (moved[:t] > 1e-9).any(), f"token {t} was changed, and an output before it changed too"
        assert (moved[t:] > 1e-9).all(), f"token {t} was changed, but not every output from it on changed"
    assert_close(got, reference.attention(*(X @ W for W in matrices), mask), what="the causal output")
    Q, K, V = (X @ W for W in matrices)
    last = attended(submission, Q[2:], K, V, mask[2:], what="the output of the last three queries by themselves")
    assert_close(last, got[2:], what="the output of the last three queries, against that among all five")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3), (1,)):
        Q, K, V = queries_keys_values(rng, *lead)
        got = attended(submission, Q, K, V, what=f"the output of a batch of shape {lead}")
        for index in np.ndindex(*lead):
            alone = attended(submission, Q[index], K[index], V[index])
            assert_close(got[index], alone, what=f"the output of one example out of a batch of shape {lead}")
    Q, K, V = queries_keys_values(rng, 2)
    for mask in (some_mask(rng), some_mask(rng)[0]):  # shared by the examples, then by the queries too
        got = attended(submission, Q, K, V, mask, what=f"the output with a mask of shape {mask.shape}")
        whole = attended(submission, Q, K, V, np.array(np.broadcast_to(mask, (2, 5, 7))))
        assert_close(got, whole, what=f"a mask of shape {mask.shape} against the same mask written out")


@edge
def test_a_query_with_nothing_to_attend_to_gets_0(submission, rng):
    Q, K, V = queries_keys_values(rng)
    mask = some_mask(rng)
    partly = attended(submission, Q, K, V, mask)
    empty = np.array([False, True, False, True, False])
    got = attended(submission, Q, K, V, mask & ~empty[:, np.newaxis], what="the output with rows of nothing")
    assert_close(got[empty], np.zeros((2, 13)), what="the output where there is nothing to attend to")
    assert_close(got[~empty], partly[~empty], what="the other outputs")


@edge
def test_what_does_not_fit_is_refused(submission, rng):
    Q, K, V = queries_keys_values(rng)
    assert_rejects(submission.attention, Q, K, V[:6])
    assert_rejects(submission.attention, Q, K, V[:1])
    assert_rejects(submission.attention, Q, K, V[:, 0])
    assert_rejects(submission.attention, Q, K[:6], V)
    assert_rejects(submission.attention, Q, K[:, :6], V)
    assert_rejects(submission.attention, Q, K[:, :1], V)
    assert_rejects(submission.attention, Q, K, V, some_mask(rng, 2))


@edge
def test_a_mask_that_is_not_boolean_is_refused(submission, rng):
    Q, K, V = queries_keys_values(rng)
    assert_rejects(submission.attention, Q, K, V, some_mask(rng).astype(np.int64))


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    Q, K, V = (np.round(2 * array) / 2 for array in queries_keys_values(rng))  # halves are exact in every dtype
    wide = attended(submission, Q, K, V)
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        what = f"the output of {np.dtype(dtype)}"
        got = attended(submission, *(array.astype(dtype) for array in (Q, K, V)), what=what)
        assert_close(got.astype(np.float64), wide, rtol=1e-2, atol=1e-2, what=what)
        assert_close(got, wide.astype(result), what=what)
    for place, name in enumerate("QKV"):
        what = f"the output where {name} alone is float32"
        assert_close(attended(submission, *one_float32((Q, K, V), place), what=what), wide, what=what)
        what = f"the output where {name} alone is float64"
        assert_close(attended(submission, *one_float64((Q, K, V), place), what=what), wide, what=what)


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.attention, *queries_keys_values(rng), some_mask(rng))
