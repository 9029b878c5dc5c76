"""What the reference of `masking` promises, each promise on masks one can read."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import masking as ref

FLOATS = (np.float32, np.float64)


def bits(*rows):
    return np.array([[c == "1" for c in row] for row in rows])


# causal_mask


def test_a_token_sees_itself_and_those_before_it():
    np.testing.assert_array_equal(ref.causal_mask(3), bits("100", "110", "111"))


def test_with_more_keys_the_queries_are_the_last_positions():
    np.testing.assert_array_equal(ref.causal_mask(2, 5), bits("11110", "11111"))
    np.testing.assert_array_equal(ref.causal_mask(1, 4), bits("1111"))


@given(st.integers(0, 8), st.integers(0, 8))
def test_the_causal_mask_of_a_chunk_is_the_last_rows_of_the_whole(T_q, cached):
    mask = ref.causal_mask(T_q, cached + T_q)
    assert mask.dtype == np.bool_
    np.testing.assert_array_equal(mask, ref.causal_mask(cached + T_q)[cached:])


@pytest.mark.parametrize(("T_q", "T_k"), [(3, 2), (1, 0), (-1, None), (-1, 2), (-3, -2)])
def test_fewer_keys_than_queries_or_a_negative_number_is_refused(T_q, T_k):
    with pytest.raises(ValueError, match=f"{T_q} queries cannot be the last"):
        ref.causal_mask(T_q, T_k)


# padding_mask


def test_padding_is_on_the_right():
    np.testing.assert_array_equal(ref.padding_mask(np.array([2, 0, 3]), 3), bits("110", "000", "111"))


@given(st.lists(st.integers(0, 6), max_size=4), st.sampled_from([np.int64, np.int32, np.uint8]))
def test_each_row_holds_as_many_tokens_as_its_length(lengths, dtype):
    mask = ref.padding_mask(np.array(lengths, dtype=dtype), 6)
    assert mask.shape == (len(lengths), 6)
    assert mask.dtype == np.bool_
    np.testing.assert_array_equal(mask.sum(axis=1), np.array(lengths))


@pytest.mark.parametrize("lengths", [[4], [-1], [0, 4], [2, -1]])
def test_a_length_out_of_range_is_refused(lengths):
    with pytest.raises(ValueError, match="from 0 to T = 3"):
        ref.padding_mask(np.array(lengths), 3)


@pytest.mark.parametrize("lengths", [np.array([1.0]), np.array([True]), np.array([[1]]), np.array(1)])
def test_lengths_are_one_axis_of_integers(lengths):
    with pytest.raises(ValueError, match=r"integers|do not fit \[B\]"):
        ref.padding_mask(lengths, 3)


def test_a_negative_padded_length_is_refused():
    with pytest.raises(ValueError, match="T = -1"):
        ref.padding_mask(np.array([], dtype=np.int64), -1)


# sliding_window_mask


def test_a_window_counts_the_token_itself():
    np.testing.assert_array_equal(ref.sliding_window_mask(4, 2), bits("1000", "1100", "0110", "0011"))


def test_a_window_of_one_sees_the_token_alone():
    np.testing.assert_array_equal(ref.sliding_window_mask(5, 1), np.eye(5, dtype=bool))


@given(st.integers(0, 8), st.integers(1, 12))
def test_a_window_is_causal_and_each_row_sees_as_far_as_it_can(T, window):
    mask = ref.sliding_window_mask(T, window)
    assert mask.dtype == np.bool_
    assert not (mask & ~ref.causal_mask(T)).any()
    np.testing.assert_array_equal(mask.sum(axis=1), np.minimum(np.arange(T) + 1, window))
    if window >= T:
        np.testing.assert_array_equal(mask, ref.causal_mask(T))


@pytest.mark.parametrize(("T", "window"), [(3, 0), (3, -1), (-1, 1)])
def test_a_window_below_one_or_a_negative_length_is_refused(T, window):
    with pytest.raises(ValueError, match=f"got {window} over {T}"):
        ref.sliding_window_mask(T, window)


# combine_masks


def test_either_mask_forbids_and_a_padded_query_still_attends():
    got = ref.combine_masks(ref.causal_mask(3), ref.padding_mask(np.array([3, 1]), 3))
    assert got.shape == (2, 1, 3, 3)
    np.testing.assert_array_equal(got[0, 0], bits("100", "110", "111"))
    np.testing.assert_array_equal(got[1, 0], bits("100", "100", "100"))


def test_each_sequence_keeps_its_own_padding_when_there_are_as_many_as_tokens():
    got = ref.combine_masks(np.ones((2, 2), dtype=bool), bits("10", "11"))
    np.testing.assert_array_equal(got[:, 0], [bits("10", "10"), bits("11", "11")])


def test_a_chunk_of_queries_combines_with_the_padding_of_all_keys():
    got = ref.combine_masks(ref.causal_mask(2, 3), bits("110"))
    np.testing.assert_array_equal(got[0, 0], bits("110", "110"))


@pytest.mark.parametrize(
    ("causal", "padding"), [((3, 3), (2, 4)), ((3, 3), (3,)), ((3,), (2, 3)), ((1, 3, 3), (2, 3)), ((3, 3), (2, 1))]
)
def test_masks_that_do_not_fit_are_refused_naming_both_shapes(causal, padding):
    with pytest.raises(ValueError, match="do not fit") as caught:
        ref.combine_masks(np.ones(causal, dtype=bool), np.ones(padding, dtype=bool))
    assert str(causal) in str(caught.value)
    assert str(padding) in str(caught.value)


@pytest.mark.parametrize("dtypes", [(np.int64, np.bool_), (np.bool_, np.float64)])
def test_only_boolean_masks_combine(dtypes):
    with pytest.raises(ValueError, match="a mask is boolean"):
        ref.combine_masks(np.ones((3, 3), dtypes[0]), np.ones((2, 3), dtypes[1]))


# apply_mask and masked_softmax


@pytest.mark.parametrize("dtype", FLOATS)
def test_scores_are_minus_infinity_exactly_where_the_mask_is_false(dtype):
    got = ref.apply_mask(np.array([[1, 2], [3, 4]], dtype=dtype), bits("10", "01"))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, [[1, -np.inf], [-np.inf, 4]])


def test_a_hidden_score_has_no_say_whatever_it_is():
    scores = np.array([[np.nan, 0.0, np.inf, 0.0]])
    np.testing.assert_array_equal(ref.apply_mask(scores, bits("0101")), [[-np.inf, 0, -np.inf, 0]])
    np.testing.assert_array_equal(ref.masked_softmax(scores, bits("0101")), [[0, 0.5, 0, 0.5]])


@pytest.mark.parametrize("dtype", FLOATS)
def test_weights_by_hand(dtype):
    scores = np.log(np.array([[1, 2, 3], [1, 3, 4], [1, 1, 1]], dtype=dtype))
    got = ref.masked_softmax(scores, bits("110", "111", "000"))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, [[1 / 3, 2 / 3, 0], [1 / 8, 3 / 8, 4 / 8], [0, 0, 0]], rtol=1e-6)


@pytest.mark.parametrize("dtype", FLOATS)
@given(seed=st.integers(0, 2**32), exponent=st.integers(-2, 37))
def test_rows_sum_to_one_or_where_all_is_forbidden_to_zero(dtype, seed, exponent):
    rng = np.random.default_rng(seed)
    scores = (rng.normal(size=(2, 3, 5)) * 10.0**exponent).astype(dtype)
    mask = rng.random((2, 3, 5)) < 0.4
    A = ref.masked_softmax(scores, mask)
    np.testing.assert_allclose(A.sum(axis=-1), mask.any(axis=-1), rtol=1e-5)
    assert (A[~mask] == 0).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_masked_softmax_is_stable_up_to_the_largest_number_of_the_dtype(dtype):
    big = np.finfo(dtype).max
    scores = np.array([[big, -big, big], [-big, -big, big]], dtype=dtype)
    np.testing.assert_array_equal(ref.masked_softmax(scores, bits("111", "110")), [[0.5, 0, 0.5], [0.5, 0.5, 0]])


@pytest.mark.parametrize("name", ["apply_mask", "masked_softmax"])
@pytest.mark.parametrize("mask_shape", [(), (5,), (3, 1), (2, 1, 1, 5), (1, 1, 3, 5)])
def test_a_mask_broadcasts_to_the_scores(name, mask_shape):
    rng = np.random.default_rng(2)
    scores, mask = rng.normal(size=(2, 7, 3, 5)), rng.random(mask_shape) < 0.6
    full = np.broadcast_to(mask, scores.shape).copy()
    np.testing.assert_array_equal(getattr(ref, name)(scores, mask), getattr(ref, name)(scores, full))


@pytest.mark.parametrize("name", ["apply_mask", "masked_softmax"])
@pytest.mark.parametrize("mask_shape", [(1, 3, 5), (2, 3, 5), (5, 3), (2,)])
def test_a_mask_with_more_axes_or_another_shape_is_refused_naming_both_shapes(name, mask_shape):
    with pytest.raises(ValueError, match="does not broadcast") as caught:
        getattr(ref, name)(np.ones((3, 5)), np.ones(mask_shape, dtype=bool))
    assert str(mask_shape) in str(caught.value)
    assert "(3, 5)" in str(caught.value)


@pytest.mark.parametrize("name", ["apply_mask", "masked_softmax"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, object])
def test_a_mask_that_is_not_boolean_is_refused(name, dtype):
    with pytest.raises(ValueError, match="a mask is boolean"):
        getattr(ref, name)(np.ones((3, 5)), np.ones((3, 5), dtype=dtype))


@pytest.mark.parametrize("name", ["apply_mask", "masked_softmax"])
@pytest.mark.parametrize(
    ("given_dtype", "expected"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64), (int, np.float64)],
)
def test_the_dtype_of_the_result_follows_the_rule(name, given_dtype, expected):
    assert getattr(ref, name)(np.ones((3, 5), dtype=given_dtype), np.tri(3, 5, dtype=bool)).dtype == expected


@pytest.mark.parametrize("name", ["apply_mask", "masked_softmax"])
def test_complex_scores_are_refused(name):
    with pytest.raises(ValueError, match="real numbers are needed"):
        getattr(ref, name)(np.ones((3, 5), dtype=complex), np.tri(3, 5, dtype=bool))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("padding_mask", (np.array([1, 2]), 3)),
        ("combine_masks", (np.tri(3, dtype=bool), np.ones((2, 3), dtype=bool))),
        ("apply_mask", (np.ones((3, 5)), np.tri(3, 5, dtype=bool))),
        ("apply_mask", (np.ones((3, 5)), np.ones((3, 5), dtype=bool))),
        ("masked_softmax", (np.ones((3, 5), np.float32), np.tri(3, 5, dtype=bool))),
    ],
)
def test_no_argument_is_modified_and_no_result_shares_its_memory(name, args):
    before = copy.deepcopy(args)
    got = getattr(ref, name)(*args)
    for arg, old in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, old)
        assert not np.shares_memory(got, arg)
