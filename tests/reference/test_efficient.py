"""What the reference of `efficient` promises: pieces give what the whole gives, in less memory."""

from __future__ import annotations

import copy
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import attention as whole
from reference import efficient as ref

FLOATS = (np.float32, np.float64)
seeds = st.integers(0, 2**32)


def maximum_and_sum(row):
    m = row.max(axis=-1, keepdims=True)
    return m, np.exp(row - m).sum(axis=-1, keepdims=True)


def cut(rng, row, pieces):
    """The row in pieces at random places, some of them empty."""
    return np.split(row, np.sort(rng.integers(0, row.shape[-1] + 1, size=pieces - 1)), axis=-1)


def random_input(seed, *lead, T_q, T_k, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(*lead, T, width)).astype(dtype) for T, width in ((T_q, 5), (T_k, 5), (T_k, 3))]


# online_softmax


def test_the_maximum_and_sum_of_two_blocks_by_hand():
    m, d = ref.online_softmax([np.log([[1.0, 2.0]]), np.log([[4.0, 1.0]])])
    np.testing.assert_allclose(m, [[np.log(4)]])
    np.testing.assert_allclose(d, [[2.0]])


@given(seeds, st.integers(1, 6), st.sampled_from([(), (3,), (2, 3)]))
def test_blocks_give_what_the_whole_row_gives_and_with_it_the_softmax(seed, pieces, rows):
    rng = np.random.default_rng(seed)
    row = 30 * rng.normal(size=(*rows, 7))
    m, d = ref.online_softmax(cut(rng, row, pieces))
    assert m.shape == d.shape == (*rows, 1)
    for got, want in zip((m, d), maximum_and_sum(row), strict=True):
        np.testing.assert_allclose(got, want)
    np.testing.assert_allclose(np.exp(row - m) / d, whole.softmax(row))


def test_blocks_are_seen_once_and_in_order_from_any_iterable():
    row = np.random.default_rng(1).normal(size=(2, 6))
    seen = []

    def generator():
        for j in range(0, 6, 2):
            seen.append(j)
            yield row[:, j : j + 2]

    m, d = ref.online_softmax(generator())
    assert seen == [0, 2, 4]
    for got, want in zip((m, d), maximum_and_sum(row), strict=True):
        np.testing.assert_allclose(got, want)


def test_rows_that_begin_with_nothing_and_rows_of_nothing():
    none, some = np.full((2, 3), -np.inf), np.array([[0.0, 0.0], [-np.inf, -np.inf]])
    m, d = ref.online_softmax([none, some, none])
    np.testing.assert_array_equal(m, [[0.0], [-np.inf]])
    np.testing.assert_array_equal(d, [[2.0], [0.0]])


def test_blocks_without_scores_alone_are_rows_of_nothing():
    m, d = ref.online_softmax([np.zeros((2, 0))])
    np.testing.assert_array_equal(m, np.full((2, 1), -np.inf))
    np.testing.assert_array_equal(d, np.zeros((2, 1)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_online_softmax_is_stable_up_to_the_largest_number_of_the_dtype(dtype):
    big = np.finfo(dtype).max
    m, d = ref.online_softmax([np.array([-big, big], dtype), np.array([big], dtype), np.array([-big], dtype)])
    assert m.dtype == d.dtype == dtype
    np.testing.assert_array_equal((m, d), [[big], [2]])


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        ([np.float32, np.float32], np.float32),
        ([np.float32, np.float64], np.float64),
        ([np.float64, np.float32], np.float64),
        ([np.float16, np.float16], np.float64),
        ([np.int8, np.int8], np.float64),
    ],
)
def test_the_dtype_follows_all_blocks(dtypes, expected):
    m, d = ref.online_softmax([np.ones((2, 3), dtype) for dtype in dtypes])
    assert m.dtype == d.dtype == expected


@pytest.mark.parametrize("odd", [np.zeros((1, 3)), np.zeros((3, 3)), np.zeros(3), np.zeros((1, 2, 3)), np.zeros(())])
def test_rows_that_do_not_fit_are_refused(odd):
    with pytest.raises(ValueError, match="do not fit"):
        ref.online_softmax([np.zeros((2, 3)), odd])


def test_no_blocks_are_refused():
    with pytest.raises(ValueError, match="at least one block"):
        ref.online_softmax([])


def test_complex_scores_are_refused():
    with pytest.raises(ValueError, match="real numbers are needed"):
        ref.online_softmax([np.ones((2, 3), complex)])


# blockwise_attention


def test_two_tiles_by_hand():
    K, V = np.log([[1.0], [2.0], [4.0], [1.0]]), np.array([[8.0], [16.0], [24.0], [32.0]])
    np.testing.assert_allclose(ref.blockwise_attention(np.array([[1.0]]), K, V, 2), [[21.0]])


@given(seeds, st.integers(1, 5), st.integers(0, 6), st.integers(1, 9), st.sampled_from([(), (2,), (2, 3)]))
def test_tiles_give_what_attention_gives(seed, T_q, T_k, tile, lead):
    Q, K, V = random_input(seed, *lead, T_q=T_q, T_k=T_k)
    np.testing.assert_allclose(ref.blockwise_attention(Q, K, V, tile), whole.attention(Q, K, V), atol=1e-12)


@given(seeds, st.integers(1, 5), st.integers(0, 4), st.integers(1, 9))
def test_causal_tiles_give_what_attention_gives_under_the_causal_mask(seed, T_q, cached, tile):
    Q, K, V = random_input(seed, T_q=T_q, T_k=T_q + cached)
    mask = np.tri(T_q, T_q + cached, cached, dtype=bool)
    got = ref.blockwise_attention(Q, K, V, tile, causal=True)
    np.testing.assert_allclose(got, whole.attention(Q, K, V, mask), atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_memory_grows_with_the_tile_and_not_with_the_square_of_the_tokens(causal):
    T, tile = 2048, 16
    Q, K, V = random_input(3, T_q=T, T_k=T, dtype=np.float32)
    tracemalloc.start()
    try:
        ref.blockwise_attention(Q, K, V, tile, causal)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 12 * T * tile * 4 < T * T


def test_scores_far_from_zero_and_from_each_other():
    Q, V = np.array([[1.0], [-1.0]]), np.array([[1.0], [2.0], [4.0]])
    K = np.array([[-1e5], [0.0], [1e5]])
    for tile in (1, 2, 3):
        np.testing.assert_array_equal(ref.blockwise_attention(Q, K, V, tile), [[4.0], [1.0]])


def test_without_keys_the_output_is_zero():
    np.testing.assert_array_equal(ref.blockwise_attention(*random_input(4, 2, T_q=3, T_k=0), 2), np.zeros((2, 3, 3)))


@pytest.mark.parametrize(
    ("dtypes", "expected"),
    [
        ([np.float32] * 3, np.float32),
        ([np.float32, np.float32, np.float64], np.float64),
        ([np.float16] * 3, np.float64),
        ([np.int8] * 3, np.float64),
    ],
)
def test_the_dtype_of_the_output_follows_the_rule(dtypes, expected):
    arrays = [array.astype(dtype) for array, dtype in zip(random_input(5, T_q=2, T_k=4), dtypes, strict=True)]
    assert ref.blockwise_attention(*arrays, 3, causal=True).dtype == expected


@pytest.mark.parametrize(
    "shapes",
    [((2, 5), (4, 5), (3, 3)), ((2, 5), (4, 4), (4, 3)), ((2, 5), (1, 4, 5), (1, 4, 3)), ((5,), (4, 5), (4, 3))],
)
def test_shapes_that_do_not_fit_are_refused_naming_them_all(shapes):
    with pytest.raises(ValueError, match="do not fit") as caught:
        ref.blockwise_attention(*map(np.ones, shapes), 2)
    assert all(str(shape) in str(caught.value) for shape in shapes)


@pytest.mark.parametrize(("T_q", "T_k", "tile", "causal"), [(2, 3, 0, False), (2, 3, -1, False), (3, 2, 1, True)])
def test_numbers_out_of_range_are_refused(T_q, T_k, tile, causal):
    with pytest.raises(ValueError, match="no tiles of"):
        ref.blockwise_attention(*random_input(6, T_q=T_q, T_k=T_k), tile, causal)


def test_keys_without_a_width_are_refused():
    with pytest.raises(ValueError, match="of width 0"):
        ref.blockwise_attention(np.ones((2, 0)), np.ones((3, 0)), np.ones((3, 1)), 1)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("online_softmax", ([np.ones((2, 1)), np.zeros((2, 3))],)),
        ("online_softmax", ([np.ones((2, 1), np.float32)],)),
        ("blockwise_attention", (*random_input(7, T_q=3, T_k=4), 2, True)),
        ("blockwise_attention", (*random_input(7, T_q=3, T_k=4, dtype=np.float32), 4)),
    ],
)
def test_no_argument_is_modified_and_no_result_shares_its_memory(name, args):
    before = copy.deepcopy(args)
    got = getattr(ref, name)(*args)
    flat = [*(args[0] if isinstance(args[0], list) else args[:3])]
    for arg, old in zip(flat, before[0] if isinstance(before[0], list) else before, strict=False):
        np.testing.assert_array_equal(arg, old)
        for result in got if isinstance(got, tuple) else (got,):
            assert not np.shares_memory(result, arg)
