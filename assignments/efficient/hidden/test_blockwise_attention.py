"""What decides the score of `blockwise_attention`: any tile, causal too, 8192 tokens; then every edge by itself.

Outside the first two tests the tiles divide the keys, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_finite, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("efficient.blockwise_attention")


def queries_keys_values(rng, *lead, T_q=5, T_k=6):
    return tuple(rng.standard_normal((*lead, *shape)) for shape in ((T_q, 11), (T_k, 11), (T_k, 13)))


def output(submission, *args, what="the output", **kwargs):
    """Read the output as float64: in which dtype it has to come is a question of its own."""
    shape = (*args[0].shape[:-1], args[2].shape[-1])
    return as_array(submission.blockwise_attention(*args, **kwargs), shape=shape, what=what).astype(np.float64)


@core
def test_the_output_is_that_of_attention_whatever_the_tile(submission, reference, rng):
    Q, K, V = queries_keys_values(rng)
    expected = reference.blockwise_attention(Q, K, V, 6)
    # Tiles that divide the keys, that leave a rest, and that are larger than all keys together.
    for tile in (4, 6, 1, 2, 3, 5, 7, 1000):
        what = f"the output of 6 keys in tiles of {tile}"
        got = output(submission, Q, K, V, tile, what=what)
        outside = (got < V.min(axis=0) - 1e-4) | (got > V.max(axis=0) + 1e-4)
        assert not outside.any(), f"{what}: a weighted mean of the values cannot leave their range, but yours does"
        # Wide enough for float32: what is lost by computing in it is a question of its own.
        assert_close(got, expected, rtol=1e-4, atol=1e-5, what=what)
    narrow, what = (Q[:, :1], K[:, :1], V), "the output of queries and keys of width 1"
    got, expected = output(submission, *narrow, 3, what=what), reference.blockwise_attention(*narrow, 3)
    assert_close(got, expected, rtol=1e-4, atol=1e-5, what=what)


@core
def test_a_causal_token_reaches_all_later_outputs_and_no_earlier_one(submission, reference, rng):
    X = rng.standard_normal((6, 7))
    matrices = [rng.standard_normal((7, width)) / np.sqrt(7) for width in (11, 11, 13)]
    for tile in (4, 2, 3, 6, 5, 7):
        what = f"the causal output of 6 tokens in tiles of {tile}"
        got = output(submission, *(X @ W for W in matrices), tile, causal=True, what=what)
        assert_finite(got, what=what)
        changed = X + 2 * (np.arange(6) == 3)[:, np.newaxis]
        moved = np.abs(output(submission, *(changed @ W for W in matrices), tile, causal=True) - got).max(axis=-1)
        assert not (moved[:3] > 1e-5).any(), f"{what}: token 3 was changed, and an output before it changed too"
        assert (moved[3:] > 1e-5).all(), f"{what}: token 3 was changed, but not every output from it on changed"
        expected = reference.blockwise_attention(*(X @ W for W in matrices), tile, causal=True)
        assert_close(got, expected, rtol=1e-4, atol=1e-5, what=what)


def long_sequence(T_q, T, causal):
    """The last T_q of T tokens, whose output is known: score [i, j] is the logarithm of a weight w[j], taken i % 4 times; w grows by thirds."""
    w = (1.0 + np.arange(T) * 7 % 5) * (1 + 3 * np.arange(T) // T)
    Q, K = np.zeros((2, T, 4), dtype=np.float32)
    Q[:, 0], K[:, 0] = 2 * (np.arange(T) % 4), np.log(w)
    V = np.stack([np.arange(T) * 5 % 7, np.ones(T)], axis=1).astype(np.float32)
    times, last = np.arange(T) % 4, np.arange(T) if causal else T - 1
    seen = np.stack([np.cumsum(w[:, None] ** n * V, axis=0) for n in range(4)])[times, last]
    return (
        Q[T - T_q :],
        K,
        V,
        (seen / seen[:, 1:])[T - T_q :],
    )  # the last column of V is 1: its sum is that of the weights


# T_q, T_k, tile and causal. Short ones first: is it the length that fails, or everything? Then each of these has room for one
# thing less: for all scores of a third of the queries; for a dozen tiles, if they are float32; for a mask of all with all.
# Nothing is drawn: once is enough to know.
LONG = [
    (24, 24, 8, False),
    (24, 24, 8, True),
    (2730, 8192, 64, False),
    (1552, 1552, 776, True),
    (8192, 8192, 128, True),
]


@core
def test_8192_tokens_fit_where_their_matrix_does_not(submission):
    for T_q, T_k, tile, causal in LONG:
        Q, K, V, expected = long_sequence(T_q, T_k, causal)
        what = f"the {'causal ' if causal else ''}output of {T_q} queries and {T_k} keys in tiles of {tile}"
        got = output(submission, Q, K, V, tile, causal=causal, what=what)
        assert_close(got, expected, rtol=1e-4, atol=1e-4, what=what)


@edge
def test_causal_queries_are_the_last_positions(submission, reference, rng):
    for T_q in (1, 2, 4):
        Q, K, V = queries_keys_values(rng, T_q=T_q)
        for tile in (1, 2, 3, 6):
            what = f"the causal output of {T_q} queries and 6 keys in tiles of {tile}"
            expected = reference.blockwise_attention(Q, K, V, tile, causal=True)
            got = output(submission, Q, K, V, tile, causal=True, what=what)
            assert_close(got, expected, rtol=1e-4, atol=1e-5, what=what)


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3), (1,)):
        Q, K, V = queries_keys_values(rng, *lead)
        for causal in (False, True):
            got = output(submission, Q, K, V, 3, causal=causal, what=f"the output of a batch of shape {lead}")
            for index in np.ndindex(*lead):
                alone = output(submission, Q[index], K[index], V[index], 3, causal=causal)
                what = f"the output of one example out of a batch of shape {lead}"
                assert_close(got[index], alone, rtol=1e-4, atol=1e-5, what=what)


@edge
def test_scores_a_long_way_from_zero_and_from_each_other(submission, reference, rng):
    Q, K, V = queries_keys_values(rng)
    Q[:, 0] = np.sqrt(11)  # so that what is added to the first column of K is added to the scores
    for steps in ([0.0, 1000, 2000], [2000.0, 1000, 0], [-3000.0, -3000, -3000], [800.0, 800, 800]):
        far = K + np.repeat(steps, 2)[:, np.newaxis] * (np.arange(11) == 0)
        what = f"the output with {steps} added to the scores of three tiles"
        expected = reference.blockwise_attention(Q, far, V, 2)
        assert_close(output(submission, Q, far, V, 2, what=what), expected, rtol=1e-4, atol=1e-5, what=what)
    Q[:, 0] *= rng.permutation([2.0, 1, 0, -1, -2])
    far = K + 1000 * (np.arange(11) == 0)
    expected = reference.blockwise_attention(Q, far, V, 2)
    assert_close(output(submission, Q, far, V, 2), expected, rtol=1e-4, atol=1e-5, what="the output with far rows")


@edge
def test_where_there_are_no_keys_the_output_is_0(submission, rng):
    for lead in ((), (2,)):
        Q, K, V = queries_keys_values(rng, *lead, T_k=0)
        assert_close(output(submission, Q, K, V, 3), np.zeros((*lead, 5, 13)), what="the output without keys")


@edge
def test_the_dtype_follows_the_inputs(submission, reference, rng):
    halves = [np.round(2 * array) / 2 for array in queries_keys_values(rng)]  # exact in every dtype
    wide = reference.blockwise_attention(*halves, 3)
    for dtypes in (
        [np.float32] * 3,
        [np.float16] * 3,
        [np.float64, np.float32, np.float32],
        [np.float32, np.float32, np.float64],
    ):
        got = submission.blockwise_attention(*(a.astype(t) for a, t in zip(halves, dtypes, strict=True)), 3)
        result = np.float32 if dtypes == [np.float32] * 3 else np.float64
        what = f"the output of {' and '.join(np.dtype(dtype).name for dtype in dtypes)}"
        # The numbers first, as closely as float32 has them: they are as good in the wrong dtype.
        numbers = as_array(got, shape=wide.shape, what=what).astype(np.float64)
        assert_close(numbers, wide, rtol=1e-4, atol=1e-4, what=what)
        assert_close(got, wide.astype(result), what=what)
    # Products that int8 cannot hold, though exp can hold every score.
    dozens = [np.round(8 * array).clip(-12, 12).astype(np.int8) for array in queries_keys_values(rng)]
    expected = reference.blockwise_attention(*dozens, 3)
    assert_close(submission.blockwise_attention(*dozens, 3), expected, what="the output of int8")


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    Q, K, V = queries_keys_values(rng)
    longer = np.concatenate([V, V])
    for arrays in ((Q, K, V[:5]), (Q, K, V[:3]), (Q, K, longer), (Q, K[:, :10], V), (Q, K[:, :1], V), (Q[:, :1], K, V)):
        assert_rejects(submission.blockwise_attention, *arrays, 3)


@edge
def test_tiles_of_less_than_one_key_are_refused(submission, rng):
    for tile in (0, -1, -6):
        assert_rejects(submission.blockwise_attention, *queries_keys_values(rng), tile)


@edge
def test_queries_and_keys_of_no_width_are_refused(submission, rng):
    Q, K, V = queries_keys_values(rng)
    assert_rejects(submission.blockwise_attention, Q[:, :0], K[:, :0], V, 3)


@edge
def test_more_causal_queries_than_keys_are_refused(submission, rng):
    for T_q in (7, 9):
        assert_rejects(submission.blockwise_attention, *queries_keys_values(rng, T_q=T_q), 3, causal=True)


@edge
def test_the_arguments_stay_as_they_were(submission, rng):
    for causal in (False, True):
        assert_unchanged(submission.blockwise_attention, *queries_keys_values(rng), 3, causal=causal)
