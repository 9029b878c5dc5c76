"""efficient.blockwise_attention: the output of attention, without its T x T matrix."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("efficient.blockwise_attention")

# d_k is 4, so the scores are half the dot products: the logarithms of 1, 2, 5, 8 and of 4, 3, 1, 1.
Q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
K = np.log([[1.0, 4.0, 2.0, 1.0], [2.0, 3.0, 1.0, 3.0], [5.0, 1.0, 1.0, 2.0], [8.0, 1.0, 3.0, 1.0]])
V = np.array([[8.0, 0.0, 1.0], [16.0, 8.0, 1.0], [24.0, 0.0, 1.0], [32.0, 16.0, 1.0]])
# Weights 1/16, 2/16, 5/16, 8/16 and 4/9, 3/9, 1/9, 1/9.
OUTPUT = np.array([[26.0, 9.0, 1.0], [136 / 9, 40 / 9, 1.0]])
# The two queries are the last of four positions: the first sees three keys, with weights 1/8, 2/8, 5/8.
CAUSAL = np.array([[20.0, 2.0, 1.0], [136 / 9, 40 / 9, 1.0]])


def output(submission, *args, **kwargs):
    """Read the output as float64; which dtype it must have is a test of its own."""
    shape = (*args[0].shape[:-1], args[2].shape[-1])
    return as_array(submission.blockwise_attention(*args, **kwargs), shape=shape, what="the output").astype(np.float64)


@core
def test_one_tile_of_all_keys_is_plain_attention(submission):
    assert_close(output(submission, Q, K, V, 4), OUTPUT, what="the output with one tile")


@core
def test_tiles_that_divide_the_keys_change_nothing(submission):
    for tile in (1, 2):
        assert_close(output(submission, Q, K, V, tile), OUTPUT, what=f"the output with tiles of {tile}")


@core
def test_nor_do_tiles_that_do_not(submission):
    for tile in (3, 5, 100):
        assert_close(output(submission, Q, K, V, tile), OUTPUT, what=f"the output with tiles of {tile}")


@core
def test_causal_tokens_see_themselves_and_those_before_them(submission):
    keys, values = K[:2], V[:2]
    # The first token sees itself alone, the second weighs 4/7 and 3/7.
    expected = np.array([[8.0, 0.0, 1.0], [80 / 7, 24 / 7, 1.0]])
    for tile in (2, 1, 3):
        got = output(submission, Q, keys, values, tile, causal=True)
        assert_close(got, expected, what=f"the causal output with tiles of {tile}")


def long_sequence(T_q, T, causal):
    """The last T_q of T tokens, whose output is known: score [i, j] is the logarithm of a weight w[j], taken i % 3 times; w grows by thirds."""
    w = (1.0 + np.arange(T) % 4) * (1 + 3 * np.arange(T) // T)
    Q, K = np.zeros((2, T, 4), dtype=np.float32)
    Q[:, 0], K[:, 0] = 2 * (np.arange(T) % 3), np.log(w)
    V = np.stack([np.arange(T) % 5, np.ones(T)], axis=1).astype(np.float32)
    times, last = np.arange(T) % 3, np.arange(T) if causal else T - 1
    seen = np.stack([np.cumsum(w[:, None] ** n * V, axis=0) for n in range(3)])[times, last]
    return (
        Q[T - T_q :],
        K,
        V,
        (seen / seen[:, 1:])[T - T_q :],
    )  # the last column of V is 1: its sum is that of the weights


# T_q, T_k, tile and causal. Short ones first: is it the length that fails, or everything? Then each of these has room for one
# thing less: for all scores of a third of the queries; for a dozen tiles, if they are float32; for a mask of all with all.
LONG = [
    (24, 24, 8, False),
    (24, 24, 8, True),
    (2730, 8192, 32, False),
    (1536, 1536, 768, True),
    (8192, 8192, 128, True),
]


@core
def test_8192_tokens_fit_where_their_matrix_does_not(submission):
    for T_q, T_k, tile, causal in LONG:
        Q, K, V, expected = long_sequence(T_q, T_k, causal)
        got = output(submission, Q, K, V, tile, causal=causal)
        what = f"the {'causal ' if causal else ''}output of {T_q} queries and {T_k} keys in tiles of {tile}"
        assert_close(got, expected, rtol=1e-4, atol=1e-4, what=what)


@edge
def test_fewer_queries_than_keys_are_the_last_positions(submission):
    for tile in (2, 3):
        got = output(submission, Q, K, V, tile, causal=True)
        assert_close(got, CAUSAL, what=f"the causal output with tiles of {tile}")


@edge
def test_a_batch_and_heads_come_along(submission):
    for lead in ((3,), (3, 2), (1,)):
        got = output(submission, *(np.broadcast_to(array, (*lead, *array.shape)) for array in (Q, K, V)), 2)
        assert_close(got[-1], np.broadcast_to(OUTPUT, got[-1].shape), what=f"the last example of a batch {lead}")


@edge
def test_scores_a_long_way_from_zero_do_no_harm(submission):
    for far in (1000.0, -1000.0):
        # The last key scores 1000 for the first query, or -1000, and so has all its weight, or none: 1/8, 2/8, 5/8 are left.
        expected = np.stack([V[3] if far > 0 else CAUSAL[0], OUTPUT[1]])
        keys = K.copy()
        keys[3, 0] = far
        for tile in (2, 1):
            what = f"the output where query 0 and key 3 have a score of {far:g}, in tiles of {tile}"
            assert_close(output(submission, Q, keys, V, tile), expected, what=what)
        assert_close(output(submission, Q, K + far, V, 2), OUTPUT, what=f"the output with {far:g} added to every score")


@edge
def test_where_there_are_no_keys_the_output_is_0(submission):
    assert_close(output(submission, Q, K[:0], V[:0], 2), np.zeros((2, 3)), what="the output without keys")


@edge
def test_float32_stays_float32(submission):
    got = submission.blockwise_attention(*(array.astype(np.float32) for array in (Q, K, V)), 2)
    what = "the output of float32"
    # The numbers first, as closely as float32 has them: they are as good in the wrong dtype.
    numbers = as_array(got, shape=OUTPUT.shape, what=what).astype(np.float64)
    assert_close(numbers, OUTPUT, rtol=1e-4, atol=1e-4, what=what)
    as_array(got, dtype=np.float32, what=what)


@edge
def test_every_other_dtype_becomes_float64(submission):
    got = submission.blockwise_attention(Q.astype(np.float32), K.astype(np.float32), V.astype(np.int64), 2)
    as_array(got, dtype=np.float64, what="the output of float32 queries and keys and int64 values")


@edge
def test_shapes_that_do_not_fit_are_an_error(submission):
    assert_rejects(submission.blockwise_attention, Q, K, V[:3], 2)
    assert_rejects(submission.blockwise_attention, Q, K[:, :3], V, 2)
    assert_rejects(submission.blockwise_attention, Q, K[:3], V, 2)


@edge
def test_a_tile_below_1_is_an_error(submission):
    for tile in (0, -1):
        assert_rejects(submission.blockwise_attention, Q, K, V, tile)


@edge
def test_vectors_without_any_number_are_an_error(submission):
    assert_rejects(submission.blockwise_attention, Q[:, :0], K[:, :0], V, 2)


@edge
def test_causal_with_more_queries_than_keys_is_an_error(submission):
    assert_rejects(submission.blockwise_attention, Q, K[:1], V[:1], 1, causal=True)


@edge
def test_the_arguments_are_left_alone(submission):
    assert_unchanged(submission.blockwise_attention, Q, K, V, 2, causal=True)
