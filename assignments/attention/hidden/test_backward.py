"""What decides the score of `attention_backward`: the gradients, with and without a mask, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_tuple,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.backward")

NAMES = ("dQ", "dK", "dV")


def arguments(rng, *lead, T_q=5, T_k=7):
    shapes = (T_q, 11), (T_k, 11), (T_k, 13), (T_q, 13)
    return tuple(rng.standard_normal((*lead, *shape)) for shape in shapes)


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


def gradients(submission, Q, K, V, dZ, *mask):
    """The three gradients as arrays of the right shape, whatever their dtype."""
    parts = assert_tuple(submission.attention_backward(Q, K, V, dZ, *mask), 3, what="(dQ, dK, dV)")
    return [as_array(d, shape=x.shape, what=name) for name, d, x in zip(NAMES, parts, (Q, K, V), strict=True)]


def assert_conserving(dQ, dK, dV, dZ):
    """What holds for every softmax over keys, whatever the numbers."""
    assert_close(dV.sum(axis=-2), dZ.sum(axis=-2), what="the sum of dV over the keys, against that of dZ")
    # The same vector added to every key changes no weight, so the slopes along it cancel. What is left is what the terms
    # were rounded by, and each of them may be off by as much.
    assert_close(dK.sum(axis=-2), np.zeros(11), atol=1e-7, what="the sum of dK over the keys")


@core
def test_without_a_mask_the_gradients_are_those_of_attention(submission, reference, rng):
    for T_k in (5, 7):  # as many keys as queries first: there a transposed matrix gives numbers
        Q, K, V, dZ = arguments(rng, T_k=T_k)
        dQ, dK, dV = gradients(submission, Q, K, V, dZ)
        assert_conserving(dQ, dK, dV, dZ)
        for name, got, expected in zip(NAMES, (dQ, dK, dV), reference.attention_backward(Q, K, V, dZ), strict=True):
            assert_close(got, expected, what=name)


@core
def test_with_a_mask_hidden_pairs_pass_nothing_back(submission, reference, rng):
    Q, K, V, dZ = arguments(rng)
    mask = some_mask(rng)
    mask[:, 3] = False  # no query sees key 3
    mask[:, 4] = True
    dQ, dK, dV = gradients(submission, Q, K, V, dZ, mask)
    assert_close(dV[3], np.zeros(13), what="dV of a key that no query sees")
    assert_close(dK[3], np.zeros(11), what="dK of a key that no query sees")
    assert_conserving(dQ, dK, dV, dZ)
    expected = reference.attention_backward(Q, K, V, dZ, mask)
    for name, got, want in zip(NAMES, (dQ, dK, dV), expected, strict=True):
        assert_close(got, want, what=f"{name} with a mask")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3)):
        batch = arguments(rng, *lead)
        got = gradients(submission, *batch)
        for index in np.ndindex(*lead):
            alone = gradients(submission, *(array[index] for array in batch))
            for name, part, expected in zip(NAMES, got, alone, strict=True):
                assert_close(part[index], expected, what=f"{name} of one example out of a batch of shape {lead}")
    batch = arguments(rng, 2)
    for mask in (some_mask(rng), some_mask(rng)[0]):  # shared by the examples, then by the queries too
        got = gradients(submission, *batch, mask)
        whole = gradients(submission, *batch, np.array(np.broadcast_to(mask, (2, 5, 7))))
        for name, part, expected in zip(NAMES, got, whole, strict=True):
            assert_close(part, expected, what=f"{name} with a mask of shape {mask.shape}, against it written out")


@edge
def test_a_query_with_nothing_to_attend_to_passes_nothing_back(submission, rng):
    Q, K, V, dZ = arguments(rng)
    mask = some_mask(rng)
    empty = np.array([False, True, False, True, False])
    # Without those queries the gradients must be the same: they add nothing.
    fewer = gradients(submission, Q[~empty], K, V, dZ[~empty], mask[~empty])
    for dtype in (np.float64, np.float32):
        inputs = [array.astype(dtype) for array in (Q, K, V, dZ)]
        parts = gradients(submission, *inputs, mask & ~empty[:, np.newaxis])
        dQ, dK, dV = (part.astype(dtype) for part in parts)
        assert_close(dQ[empty], np.zeros((2, 11), dtype), what="dQ where there is nothing to attend to")
        for name, got, expected in zip(NAMES, (dQ[~empty], dK, dV), fewer, strict=True):
            assert_close(got, expected.astype(dtype), what=f"{name} beside queries with nothing to attend to")


@edge
def test_shapes_and_masks_that_do_not_fit_are_refused(submission, rng):
    Q, K, V, dZ = arguments(rng)
    assert_rejects(submission.attention_backward, Q, K, V, dZ[:, :6])
    assert_rejects(submission.attention_backward, Q, K, V, dZ[:1])
    assert_rejects(submission.attention_backward, Q, K, V, np.stack([dZ, dZ]))
    assert_rejects(submission.attention_backward, Q, K, V, dZ, some_mask(rng, 2))
    assert_rejects(submission.attention_backward, Q, K, V, dZ, some_mask(rng).astype(np.int64))


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    exact = [np.round(2 * array) / 2 for array in arguments(rng)]  # halves are exact in every dtype
    wide = gradients(submission, *exact)
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        got = gradients(submission, *(array.astype(dtype) for array in exact))
        for name, part, expected in zip(NAMES, got, wide, strict=True):
            what = f"{name} of {np.dtype(dtype)}"
            assert_close(part.astype(np.float64), expected, rtol=1e-2, atol=5e-2, what=what)
            assert_close(part, expected.astype(result), what=what)
    for place, single in enumerate(("Q", "K", "V", "dZ")):
        for name, part, expected in zip(NAMES, gradients(submission, *one_float32(exact, place)), wide, strict=True):
            assert_close(part, expected, what=f"{name} where {single} alone is float32")
        for name, part, expected in zip(NAMES, gradients(submission, *one_float64(exact, place)), wide, strict=True):
            assert_close(part, expected, what=f"{name} where {single} alone is float64")


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.attention_backward, *arguments(rng), some_mask(rng))
