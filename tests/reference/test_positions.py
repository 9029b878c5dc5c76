"""What the reference of `positions` promises, each promise on numbers one can check."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import positions as ref

FLOATS = (np.float32, np.float64)


def vectors(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


# sinusoidal_encoding


def test_the_table_by_hand():
    got = ref.sinusoidal_encoding(3, 4, 100.0)
    angles = [[0, 0], [1, 0.1], [2, 0.2]]
    np.testing.assert_allclose(
        got, [[math.sin(a), math.cos(a), math.sin(b), math.cos(b)] for a, b in angles], atol=1e-15
    )
    assert got.dtype == np.float64


@given(st.integers(0, 12), st.integers(1, 8), st.integers(1, 5))
def test_a_step_is_the_same_turn_at_every_position(T, pairs, step):
    PE = ref.sinusoidal_encoding(T + step, 2 * pairs)
    turns = step * ref.rope_frequencies(2 * pairs)
    sines, cosines = PE[:T, 0::2], PE[:T, 1::2]
    np.testing.assert_allclose(PE[step:, 0::2], sines * np.cos(turns) + cosines * np.sin(turns), atol=1e-12)
    np.testing.assert_allclose(PE[:, 0::2] ** 2 + PE[:, 1::2] ** 2, 1, rtol=1e-12)


def test_no_positions_still_have_a_width():
    assert ref.sinusoidal_encoding(0, 6).shape == (0, 6)


@pytest.mark.parametrize(
    ("T", "d_model", "base"), [(3, 5, 1e4), (3, 0, 1e4), (3, -2, 1e4), (-1, 4, 1e4), (3, 4, 0), (3, 4, -1)]
)
def test_a_table_that_cannot_be_is_refused_naming_the_numbers(T, d_model, base):
    named = "negative dimensions" if T < 0 else f"got {d_model} and {base}"
    with pytest.raises(ValueError, match=named):
        ref.sinusoidal_encoding(T, d_model, base)


# rotate_2d


def test_a_quarter_turn_is_counter_clockwise():
    got = ref.rotate_2d(np.array([[1.0, 0.0], [0.0, 1.0]]), math.pi / 2)
    np.testing.assert_allclose(got, [[0, 1], [-1, 0]], atol=1e-15)


@given(st.integers(0, 2**32), st.floats(-50, 50), st.floats(-50, 50))
def test_turns_add_up_and_keep_lengths(seed, first, second):
    x = vectors(seed, 3, 2)
    got = ref.rotate_2d(ref.rotate_2d(x, first), second)
    np.testing.assert_allclose(got, ref.rotate_2d(x, first + second), atol=1e-12)
    np.testing.assert_allclose(np.hypot(got[:, 0], got[:, 1]), np.hypot(x[:, 0], x[:, 1]), rtol=1e-12)


def test_every_vector_may_have_an_angle_of_its_own():
    x, angles = vectors(0, 2, 3, 2), vectors(1, 3)
    got = ref.rotate_2d(x, angles)
    for i, j in np.ndindex(2, 3):
        np.testing.assert_array_equal(got[i, j], ref.rotate_2d(x[i, j], angles[j]))


def test_more_angles_than_vectors_are_refused():
    with pytest.raises(ValueError, match="more dimensions"):
        ref.rotate_2d(np.ones((3, 2)), np.ones((2, 3)))


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 1), (2, 0)])
def test_what_is_no_vector_of_the_plane_is_refused(shape):
    with pytest.raises(ValueError, match=r"\[\.\.\., 2\], got"):
        ref.rotate_2d(np.ones(shape), 1.0)


# rope_frequencies


def test_frequencies_by_hand():
    np.testing.assert_allclose(ref.rope_frequencies(8), [1, 0.1, 0.01, 0.001], rtol=1e-14)
    np.testing.assert_allclose(ref.rope_frequencies(6, 1000), [1, 0.1, 0.01], rtol=1e-14)
    np.testing.assert_array_equal(ref.rope_frequencies(2), [1])


@given(st.integers(1, 64), st.floats(1.5, 1e7))
def test_each_frequency_is_the_one_before_by_the_same_factor(pairs, base):
    got = ref.rope_frequencies(2 * pairs, base)
    assert got.shape == (pairs,)
    assert got[0] == 1
    np.testing.assert_allclose(got[1:] / got[:-1], base ** (-1 / pairs), rtol=1e-9)


@pytest.mark.parametrize(("d_head", "base"), [(5, 1e4), (0, 1e4), (-2, 1e4), (4, 0.0), (4, -1.0), (4, math.nan)])
def test_a_head_that_cannot_be_is_refused(d_head, base):
    with pytest.raises(ValueError, match=f"got {d_head} and {base}"):
        ref.rope_frequencies(d_head, base)


# apply_rope


def test_neighbours_turn_by_position_times_frequency():
    got = ref.apply_rope(np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([1]), 100.0)
    np.testing.assert_allclose(got[0, :2], ref.rotate_2d(np.array([1.0, 2.0]), 1.0), rtol=1e-14)
    np.testing.assert_allclose(got[0, 2:], ref.rotate_2d(np.array([3.0, 4.0]), 0.1), rtol=1e-14)


@given(st.integers(0, 2**32), st.floats(-100, 100), st.floats(-100, 100))
def test_positions_add_up_and_position_0_turns_nothing(seed, first, second):
    x = vectors(seed, 3, 6)
    there = ref.apply_rope(ref.apply_rope(x, np.full(3, first)), np.full(3, second))
    np.testing.assert_allclose(there, ref.apply_rope(x, np.full(3, first + second)), atol=1e-10)
    np.testing.assert_array_equal(ref.apply_rope(x, np.zeros(3)), x)


def test_positions_may_be_shared_or_of_each_sequence():
    x, positions = vectors(0, 2, 3, 5, 4), np.arange(30).reshape(2, 3, 5)
    got = ref.apply_rope(x, positions)
    for b, h in np.ndindex(2, 3):
        np.testing.assert_array_equal(got[b, h], ref.apply_rope(x[b, h], positions[b, h]))
        np.testing.assert_array_equal(
            ref.apply_rope(x, positions[0, 0])[b, h], ref.apply_rope(x[b, h], positions[0, 0])
        )


def test_a_text_without_tokens_has_nothing_to_turn():
    assert ref.apply_rope(np.ones((2, 0, 4)), np.arange(0)).shape == (2, 0, 4)


@pytest.mark.parametrize(
    ("x", "positions"),
    [((3, 4), (1,)), ((3, 4), (4,)), ((2, 3, 4), (1, 3)), ((2, 3, 4), (3, 3)), ((3, 4), ()), ((4,), (1,))],
)
def test_positions_that_do_not_fit_are_refused_naming_the_shapes(x, positions):
    with pytest.raises(ValueError, match="shape") as caught:
        ref.apply_rope(np.ones(x), np.ones(positions))
    assert str(x) in str(caught.value)


@pytest.mark.parametrize("d_head", [0, 5])
def test_a_head_without_pairs_is_refused(d_head):
    with pytest.raises(ValueError, match="even d_head"):
        ref.apply_rope(np.ones((3, d_head)), np.arange(3))


@pytest.mark.parametrize("positions", [np.arange(3), np.arange(3.0), np.arange(3, dtype=np.float32)])
def test_the_rows_say_in_which_dtype_to_compute(positions):
    for dtype, expected in (
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.float16, np.float64),
        (int, np.float64),
    ):
        assert ref.apply_rope(np.ones((3, 4), dtype=dtype), positions).dtype == expected


def test_a_float32_row_far_down_the_text_is_still_turned_by_an_exact_angle():
    x = vectors(0, 1, 8)
    far = np.array([1_000_003])
    np.testing.assert_allclose(ref.apply_rope(x.astype(np.float32), far), ref.apply_rope(x, far), atol=1e-6)


# relative_scores


@given(st.integers(0, 2**32), st.integers(0, 6))
def test_a_score_is_that_of_the_turned_vectors_and_knows_only_the_distance(seed, n):
    q, k = vectors(seed, 2, 6)
    S = ref.relative_scores(q, k, n)
    assert S.shape == (n, n)
    for i, j in np.ndindex(n, n):
        turned = [ref.apply_rope(v[None], np.array([p]))[0] for v, p in ((q, i), (k, j))]
        np.testing.assert_allclose(S[i, j], turned[0] @ turned[1], atol=1e-12)
    np.testing.assert_allclose(S[1:, 1:], S[:-1, :-1], atol=1e-12)
    np.testing.assert_allclose(S.diagonal(), q @ k, atol=1e-12)


def test_before_and_after_are_told_apart():
    got = ref.relative_scores(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 2)
    np.testing.assert_allclose(got, [[0, -math.sin(1)], [math.sin(1), 0]], atol=1e-15)


@pytest.mark.parametrize(
    ("q", "k", "n"), [((4,), (2,), 3), ((4,), (1,), 3), ((1, 4), (1, 4), 3), ((5,), (5,), 3), ((4,), (4,), -1)]
)
def test_scores_that_cannot_be_are_refused(q, k, n):
    with pytest.raises(ValueError, match=r"do not fit|even d_head|negative dimensions"):
        ref.relative_scores(np.ones(q), np.ones(k), n)


@pytest.mark.parametrize("dtypes", [(np.float32, np.float64), (np.float16, np.float16), (int, int)])
def test_scores_are_float32_only_where_both_vectors_are(dtypes):
    q, k = (np.ones(4, dtype=dtype) for dtype in dtypes)
    assert ref.relative_scores(q, k, 2).dtype == np.float64
    assert ref.relative_scores(q.astype(np.float32), k.astype(np.float32), 2).dtype == np.float32


# order_sensitivity


def attending(X):
    E = np.exp(X @ X.T)
    return E / E.sum(axis=-1, keepdims=True) @ X


def positioned(X):
    return X + ref.sinusoidal_encoding(*X.shape)


@given(st.integers(0, 2**32), st.permutations(range(5)))
def test_attention_knows_no_order_until_it_is_given_positions(seed, perm):
    X, perm = vectors(seed, 5, 4), np.array(perm)
    assert ref.order_sensitivity(attending, X, perm) < 1e-12
    sighted = ref.order_sensitivity(lambda X: attending(positioned(X)), X, perm)
    assert (sighted > 1e-9) == (perm != np.arange(5)).any()


def test_a_running_sum_by_hand():
    got = ref.order_sensitivity(lambda X: np.cumsum(X, axis=0), np.array([[3.0], [0.0], [-1.0]]), np.array([1, 2, 0]))
    assert type(got) is float
    assert got == 3


def test_an_encoder_may_give_any_shape_and_unsigned_numbers():
    X, perm = vectors(0, 3, 2), np.array([1, 2, 0])
    places = np.array([1, 2, 3], dtype=np.uint8)
    assert ref.order_sensitivity(lambda _: places, X, perm) == 2
    assert ref.order_sensitivity(lambda _: places[:, None, None] * np.ones((2, 2), np.uint8), X, perm) == 2
    assert ref.order_sensitivity(lambda X: X, X[:0], perm[:0]) == 0


def test_nan_from_an_encoder_is_not_hidden():
    assert math.isnan(ref.order_sensitivity(lambda X: X * np.nan, np.ones((2, 2)), np.array([1, 0])))


@pytest.mark.parametrize("perm", [[0, 0, 1], [0, 1], [0, 1, 2, 3], [-1, 0, 1], [0, 1, 3], [0.0, 1.0, 2.0], [[0, 1, 2]]])
def test_what_is_no_permutation_is_refused(perm):
    with pytest.raises(ValueError, match=r"a permutation holds|do not fit"):
        ref.order_sensitivity(attending, np.ones((3, 2)), np.array(perm))


def test_a_mask_is_no_permutation_though_it_sorts_to_0_and_1():
    with pytest.raises(ValueError, match=r"a permutation holds each of 0 \.\. 1 once"):
        ref.order_sensitivity(attending, np.ones((2, 2)), np.array([True, False]))


# All of them


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("rotate_2d", (np.ones((3, 2), dtype=complex), 1.0)),
        ("apply_rope", (np.ones((3, 2), dtype=complex), np.arange(3))),
        ("relative_scores", (np.ones(2, dtype=complex), np.ones(2), 3)),
    ],
)
def test_complex_numbers_are_refused(name, args):
    with pytest.raises(ValueError, match="real numbers are needed"):
        getattr(ref, name)(*args)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("name", "shapes", "rest"),
    [
        ("rotate_2d", [(3, 2)], (0.5,)),
        ("apply_rope", [(3, 4), (3,)], ()),
        ("relative_scores", [(4,), (4,)], (3,)),
    ],
)
def test_no_argument_is_modified_and_no_result_shares_its_memory(name, shapes, rest, dtype):
    args = [vectors(0, *shape).astype(dtype) for shape in shapes]
    before = copy.deepcopy(args)
    got = getattr(ref, name)(*args, *rest)
    assert got.dtype == dtype
    for arg, old in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, old)
        assert not np.shares_memory(got, arg)


def test_tokens_and_permutation_are_left_alone():
    X, perm = vectors(0, 3, 2), np.array([2, 0, 1])
    before = X.copy(), perm.copy()
    ref.order_sensitivity(attending, X, perm)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(perm, before[1])
