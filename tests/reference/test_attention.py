"""What the reference of `attention` promises, each promise on numbers one can follow."""

from __future__ import annotations

import copy
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from reference import attention as ref

FLOATS = (np.float32, np.float64)


def draw(seed, *shapes, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def qkv(seed=0, batch=(), *, T_q=5, T_k=7, d_k=3, d_v=2, dtype=np.float64):
    return draw(seed, (*batch, T_q, d_k), (*batch, T_k, d_k), (*batch, T_k, d_v), dtype=dtype)


def call_of(name, batch=(), dtype=np.float64):
    """Arguments of each exercise's function, with prime and pairwise distinct sizes."""
    Q, K, V = qkv(1, batch, dtype=dtype)
    Qs, Vs = draw(2, (*batch, 7, 3), (*batch, 5, 2), dtype=dtype)
    X, W_q, W_k, W_v, W_o = draw(3, (*batch, 5, 3), (3, 14), (3, 14), (3, 14), (14, 11), dtype=dtype)
    return {
        "softmax": (X,),
        "project_qkv": (X, W_q, W_k, W_v),
        "attention_scores": (Q, K),
        "attention_weights": (Q, K),
        "attention": (Q, K, V),
        "two_token_example": (X[..., :2, :], X[..., 2:4, :], X[..., 1:3, :]),
        "attention_steps": (Qs, K, V),
        "multi_head_attention": (X, W_q, W_k, W_v, W_o, 7),
        "attention_backward": (Q, K, V, Vs),
    }[name]


NAMES = (
    "softmax",
    "project_qkv",
    "attention_scores",
    "attention_weights",
    "attention",
    "two_token_example",
    "attention_steps",
    "multi_head_attention",
    "attention_backward",
)
BATCHED = [name for name in NAMES if name != "two_token_example"]


def arrays_of(result):
    if isinstance(result, dict):
        return list(result.values())
    return list(result) if isinstance(result, tuple) else [result]


def by_hand():
    """Scores that are logarithms of small integers, so that every weight is a fraction one can check by head."""
    ln = math.log
    Q = math.sqrt(2) * np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    K = np.array([[0.0, 0.0], [ln(2), ln(3)], [ln(3), ln(2)]])
    V = np.array([[13.0], [26.0], [0.0]])
    return Q, K, V


# Rules that hold for every function


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("given_dtype", "expected"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64), (int, np.float64)],
)
def test_the_dtype_of_the_result_follows_the_rule(name, given_dtype, expected):
    results = arrays_of(getattr(ref, name)(*call_of(name, dtype=given_dtype)))
    assert [result.dtype for result in results] == [expected] * len(results)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "softmax"])
def test_one_float64_among_float32_inputs_makes_the_whole_computation_float64(name):
    args = call_of(name, dtype=np.float32)
    for position in [i for i, arg in enumerate(args) if isinstance(arg, np.ndarray)]:
        mixed = [a.astype(np.float64) if i == position else a for i, a in enumerate(args)]
        wide = [a.astype(np.float64) if isinstance(a, np.ndarray) else a for a in args]
        function = getattr(ref, name)
        for got, expected in zip(arrays_of(function(*mixed)), arrays_of(function(*wide)), strict=True):
            assert got.dtype == np.float64
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("name", NAMES)
def test_complex_numbers_are_refused(name):
    args = [a.astype(np.complex128) if isinstance(a, np.ndarray) else a for a in call_of(name)]
    with pytest.raises(ValueError, match="real numbers are needed, got complex128"):
        getattr(ref, name)(*args)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_no_argument_is_modified_and_no_result_shares_its_memory(name, dtype):
    args = call_of(name, dtype=dtype)
    before = copy.deepcopy(args)
    results = arrays_of(getattr(ref, name)(*args))
    for arg, old in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, old)
    inputs = [arg for arg in args if isinstance(arg, np.ndarray)]
    assert not any(np.shares_memory(result, arg) for result in results for arg in inputs)


@pytest.mark.parametrize("name", BATCHED)
@pytest.mark.parametrize("batch", [(2,), (2, 3), (0,)])
def test_every_element_of_a_batch_comes_out_as_it_would_alone(name, batch):
    function, args = getattr(ref, name), call_of(name, batch)
    together = arrays_of(function(*args))
    assert all(result.shape[: len(batch)] == batch for result in together)
    for index in np.ndindex(batch):
        alone = function(*(a[index] if np.ndim(a) > 2 else a for a in args))
        for got, expected in zip(together, arrays_of(alone), strict=True):
            np.testing.assert_allclose(got[index], expected, rtol=1e-12, atol=1e-12)


# softmax


def test_softmax_of_logarithms_is_their_numbers_over_the_sum():
    np.testing.assert_allclose(ref.softmax(np.log([1.0, 2.0, 5.0])), [1 / 8, 2 / 8, 5 / 8], rtol=1e-15)


def test_softmax_runs_along_the_last_axis_unless_told():
    x = np.log([[1.0, 3.0], [1.0, 1.0]])
    np.testing.assert_allclose(ref.softmax(x), [[1 / 4, 3 / 4], [1 / 2, 1 / 2]])
    np.testing.assert_allclose(ref.softmax(x, axis=0), [[1 / 2, 3 / 4], [1 / 2, 1 / 4]])


@given(st.data())
def test_softmax_sums_to_one_along_whichever_axis(data):
    x = data.draw(arrays(np.float64, array_shapes(max_dims=3, max_side=4), elements=st.floats(-1e308, 1e308)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    A = ref.softmax(x, axis=axis)
    assert A.shape == x.shape
    assert (A >= 0).all()
    np.testing.assert_allclose(A.sum(axis=axis), 1, rtol=1e-12)


@given(arrays(np.float64, 5, elements=st.floats(-50, 50)), st.floats(-50, 50))
def test_softmax_does_not_see_a_shift_common_to_all(x, shift):
    np.testing.assert_allclose(ref.softmax(x + shift), ref.softmax(x), rtol=1e-10)


@given(arrays(np.float64, 6, elements=st.floats(-20, 20)))
def test_softmax_is_exp_over_the_sum_where_exp_is_harmless(x):
    np.testing.assert_allclose(ref.softmax(x), np.exp(x) / np.exp(x).sum(), rtol=1e-12)


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_is_stable_up_to_the_largest_number_of_the_dtype(dtype):
    big = np.finfo(dtype).max
    x = np.array([[big, -big, big], [-big, -big, -big], [big, 0, -np.inf]], dtype=dtype)
    expected = [[0.5, 0, 0.5], [1 / 3, 1 / 3, 1 / 3], [1, 0, 0]]
    np.testing.assert_allclose(ref.softmax(x), np.array(expected, dtype=dtype), rtol=1e-6)


def test_softmax_shifts_each_row_by_its_own_maximum():
    x = np.array([[0.0, 0.0], [-2000.0, -2000.0]])
    np.testing.assert_array_equal(ref.softmax(x), np.full((2, 2), 0.5))


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax_of_minus_infinity_alone_is_zero_and_beside_numbers_has_weight_zero(dtype):
    x = np.array([[-np.inf, -np.inf], [-np.inf, 3]], dtype=dtype)
    np.testing.assert_array_equal(ref.softmax(x), [[0, 0], [0, 1]])


@pytest.mark.parametrize("poison", [np.inf, np.nan])
def test_softmax_of_plus_infinity_or_nan_is_nan_in_its_own_row_only(poison):
    A = ref.softmax(np.array([[poison, 1.0], [2.0, 2.0]]))
    assert np.isnan(A[0]).any()
    np.testing.assert_array_equal(A[1], [0.5, 0.5])


def test_softmax_of_nothing_is_nothing():
    assert ref.softmax(np.zeros((3, 0))).shape == (3, 0)


@pytest.mark.parametrize(("x", "axis"), [(np.ones((2, 3)), 2), (np.ones((2, 3)), -3)])
def test_softmax_along_an_axis_that_is_not_there_raises(x, axis):
    with pytest.raises(ValueError, match="out of bounds"):
        ref.softmax(x, axis=axis)


def test_softmax_of_a_number_without_axes_is_refused():
    with pytest.raises(ValueError, match="do not fit"):
        ref.softmax(np.ones(()))


# project_qkv


def test_projections_are_plain_products_each_with_its_own_weights():
    X = np.array([[1.0, 2.0], [3.0, 4.0]])
    Q, K, V = ref.project_qkv(X, np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0], [-1.0]]))
    np.testing.assert_array_equal(Q, X)
    np.testing.assert_array_equal(K, [[2, 1], [4, 3]])
    np.testing.assert_array_equal(V, [[-1], [-1]])


@pytest.mark.parametrize("widths", [(2, 3, 3), (3, 2, 3), (3, 3, 2)])
def test_a_projection_of_another_width_is_refused(widths):
    with pytest.raises(ValueError):  # noqa: PT011  # NumPy's own words
        ref.project_qkv(np.ones((5, 3)), *(np.ones((width, 7)) for width in widths))


# attention_scores


def test_scores_by_hand():
    S = ref.attention_scores(*by_hand()[:2])
    np.testing.assert_allclose(np.exp(S), [[1, 2, 3], [1, 3, 2], [1, 6, 6]], rtol=1e-14)


@pytest.mark.parametrize("d_k", [1, 3, 7])
def test_scores_are_divided_by_the_root_of_the_width(d_k):
    S = ref.attention_scores(np.ones((2, d_k)), np.ones((5, d_k)))
    np.testing.assert_allclose(S, np.full((2, 5), math.sqrt(d_k)), rtol=1e-15)


def test_scores_without_a_width_are_refused():
    with pytest.raises(ValueError, match=r"\(2, 0\) and \(3, 0\)"):
        ref.attention_scores(np.ones((2, 0)), np.ones((3, 0)))


# attention_weights and attention


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_each_query_shares_one_unit_among_the_keys_it_may_see_and_none_where_there_are_none(seed, T_q, T_k, d_k):
    Q, K = draw(seed, (T_q, d_k), (T_k, d_k))
    mask = np.random.default_rng(seed).random((T_q, T_k)) < 0.5
    A = ref.attention_weights(Q, K, mask)
    np.testing.assert_allclose(A.sum(axis=-1), mask.any(axis=-1), atol=1e-12)
    assert (A[~mask] == 0).all()
    assert (A[mask] > 0).all()


def test_hidden_keys_change_nothing_as_if_they_were_not_there():
    Q, K, V = qkv()
    keep = np.array([True, False, True, True, False, False, True])
    np.testing.assert_allclose(ref.attention(Q, K, V, keep), ref.attention(Q, K[keep], V[keep]), rtol=1e-12)


def test_hidden_keys_have_weight_zero_beside_scores_of_any_size():
    Q, K = np.array([[-1e4]]), np.array([[1.0], [0.0]])
    np.testing.assert_array_equal(ref.attention_weights(Q, K, np.array([[True, False]])), [[1, 0]])


@pytest.mark.parametrize("mask_shape", [(), (1,), (7,), (1, 7), (5, 1), (5, 7), (3, 1, 1), (2, 3, 5, 7), (1, 3, 5, 7)])
def test_a_mask_broadcasts_to_the_scores(mask_shape):
    Q, K, V = qkv(batch=(2, 3))
    mask = np.random.default_rng(4).random(mask_shape) < 0.6
    full = np.broadcast_to(mask, (2, 3, 5, 7))
    np.testing.assert_array_equal(ref.attention(Q, K, V, mask), ref.attention(Q, K, V, full.copy()))


@pytest.mark.parametrize("name", ["attention_weights", "attention", "attention_backward"])
@pytest.mark.parametrize("mask_shape", [(1, 5, 7), (2, 5, 7), (7, 5), (5, 6), (2,)])
def test_a_mask_with_more_axes_or_another_shape_is_refused_naming_both_shapes(name, mask_shape):
    mask = np.ones(mask_shape, dtype=bool)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is looked at below
        getattr(ref, name)(*call_of(name), mask=mask)
    assert str(mask_shape) in str(caught.value)
    assert "(5, 7)" in str(caught.value)


def test_a_mask_does_not_broadcast_the_scores_to_itself():
    Q, K = draw(0, (1, 3), (7, 3))
    with pytest.raises(ValueError, match="does not broadcast"):
        ref.attention_weights(Q, K, np.ones((5, 7), dtype=bool))


@pytest.mark.parametrize("name", ["attention_weights", "attention", "attention_backward"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32, object])
def test_a_mask_that_is_not_boolean_is_refused(name, dtype):
    with pytest.raises(ValueError, match="a mask is boolean"):
        getattr(ref, name)(*call_of(name), mask=np.ones((5, 7), dtype=dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_query_with_nothing_to_attend_to_has_weights_and_output_zero(dtype):
    Q, K, V = qkv(dtype=dtype)
    mask = np.ones((5, 7), dtype=bool)
    mask[2] = False
    np.testing.assert_array_equal(ref.attention_weights(Q, K, mask)[2], np.zeros(7))
    Z = ref.attention(Q, K, V, mask)
    np.testing.assert_array_equal(Z[2], np.zeros(2))
    np.testing.assert_array_equal(np.delete(Z, 2, axis=0), np.delete(ref.attention(Q, K, V), 2, axis=0))


def test_without_any_key_the_output_is_zero():
    np.testing.assert_array_equal(ref.attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4))), np.zeros((2, 4)))


def test_attention_is_the_weights_times_the_values():
    Q, K, V = qkv()
    np.testing.assert_allclose(ref.attention(Q, K, V), ref.attention_weights(Q, K) @ V, rtol=1e-14)


def test_the_order_of_the_keys_is_of_no_account():
    Q, K, V = qkv()
    order = np.random.default_rng(0).permutation(7)
    np.testing.assert_allclose(ref.attention(Q, K[order], V[order]), ref.attention(Q, K, V), rtol=1e-12)


@given(arrays(np.float64, (4, 1), elements=st.floats(-9, 9)))
def test_an_output_lies_between_the_least_and_the_greatest_value(V):
    Q, K, _ = qkv(T_q=3, T_k=4)
    Z = ref.attention(Q, K, V)
    assert (V.min() - 1e-12 <= Z).all()
    assert (V.max() + 1e-12 >= Z).all()


MISFITS = [
    ("attention_scores", [(5, 3), (7, 2)]),
    ("attention_scores", [(3,), (7, 3)]),
    ("attention_scores", [(2, 5, 3), (3, 7, 3)]),
    ("attention_weights", [(5, 3), (7, 2)]),
    ("attention", [(5, 3), (7, 3), (5, 2)]),
    ("attention", [(5, 3), (7, 2), (7, 2)]),
    ("two_token_example", [(2, 1), (2, 3), (2, 1)]),
    ("two_token_example", [(2, 1), (2, 1), (3, 1)]),
    ("attention_steps", [(3, 2), (5, 2), (5, 2)]),
    ("attention_steps", [(3, 2), (3, 2), (2, 2)]),
    ("attention_backward", [(5, 3), (7, 3), (7, 2), (7, 2)]),
    ("attention_backward", [(5, 3), (7, 3), (7, 2), (5, 3)]),
]


@pytest.mark.parametrize(("name", "shapes"), MISFITS)
def test_shapes_that_do_not_fit_are_refused_naming_them_all(name, shapes):
    with pytest.raises(ValueError, match="do not fit") as caught:
        getattr(ref, name)(*(np.ones(shape) for shape in shapes))
    assert all(str(shape) in str(caught.value) for shape in shapes)


# the worked examples


def test_the_lectures_two_tokens_come_out():
    example = ref.two_token_example()
    assert list(example) == ["S", "A", "Z"]
    np.testing.assert_array_equal(example["S"], [[1, 3], [2, 6]])
    small = 1 / (1 + math.e**4)
    np.testing.assert_allclose(example["A"], [[1, 0], [small, 1 - small]], rtol=1e-12)
    np.testing.assert_allclose(example["Z"], [[10], [20 - 10 * small]], rtol=1e-12)
    assert round(float(example["Z"][1, 0]), 2) == 19.82


def test_the_lectures_two_tokens_are_new_each_time():
    ref.two_token_example()["Z"][:] = 0
    assert ref.two_token_example()["Z"][0, 0] == 10


def test_two_tokens_take_other_numbers_one_by_one():
    np.testing.assert_allclose(ref.two_token_example(V=np.array([[1.0, 0.0], [1.0, 1.0]]))["Z"][:, 0], [1, 1])
    even = ref.two_token_example(K=np.array([[5.0], [5.0]]))
    np.testing.assert_allclose(even["A"], [[1, 0], [0.5, 0.5]])
    wide = ref.two_token_example(Q=np.ones((2, 4)), K=np.ones((2, 4)))
    np.testing.assert_allclose(wide["S"], [[2, 2], [2, 2]])


def test_the_trap_of_the_columns_has_row_sums_of_269_and_1731_thousandths():
    S = ref.two_token_example()["S"]
    A = ref.softmax(np.where(np.tri(2, dtype=bool), S, -np.inf), axis=-2)
    np.testing.assert_allclose(A.sum(axis=1), [0.269, 1.731], atol=5e-4)


def test_three_tokens_by_hand():
    steps = ref.attention_steps(*by_hand())
    assert list(steps) == ["scores", "masked", "weights", "output"]
    np.testing.assert_allclose(np.exp(steps["scores"]), [[1, 2, 3], [1, 3, 2], [1, 6, 6]], rtol=1e-14)
    np.testing.assert_allclose(np.exp(steps["masked"]), [[1, 0, 0], [1, 3, 0], [1, 6, 6]], rtol=1e-14)
    np.testing.assert_array_equal(np.isneginf(steps["masked"]), [[0, 1, 1], [0, 0, 1], [0, 0, 0]])
    np.testing.assert_allclose(steps["weights"], [[1, 0, 0], [1 / 4, 3 / 4, 0], [1 / 13, 6 / 13, 6 / 13]], rtol=1e-14)
    np.testing.assert_allclose(steps["output"], [[13], [22.75], [13]], rtol=1e-14)


def test_the_steps_end_in_causal_attention():
    Q, K, V = qkv(batch=(2,), T_q=7)
    causal = ref.attention(Q, K, V, np.tri(7, dtype=bool))
    np.testing.assert_allclose(ref.attention_steps(Q, K, V)["output"], causal, rtol=1e-12)


# multi_head_attention


def heads(seed=5, T=5, d_in=3, d=6, d_out=11):
    return draw(seed, (T, d_in), (d_in, d), (d_in, d), (d_in, d), (d, d_out))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("n_head", [1, 2, 3, 6])
def test_each_head_works_alone_on_its_contiguous_slice(n_head, causal):
    X, W_q, W_k, W_v, W_o = heads()
    mask = np.tri(5, dtype=bool) if causal else None
    slices = [slice(h * 6 // n_head, (h + 1) * 6 // n_head) for h in range(n_head)]
    Z = [ref.attention(X @ W_q[:, s], X @ W_k[:, s], X @ W_v[:, s], mask) for s in slices]
    got = ref.multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal)
    np.testing.assert_allclose(got, np.concatenate(Z, axis=1) @ W_o, rtol=1e-10)


def test_many_heads_are_causal_unless_told():
    args = heads()
    np.testing.assert_array_equal(ref.multi_head_attention(*args, 2), ref.multi_head_attention(*args, 2, causal=True))


@pytest.mark.parametrize("t", range(5))
def test_a_token_reaches_itself_and_every_later_one_and_no_earlier_one(t):
    X, *W = heads()
    moved = X.copy()
    moved[t] += 1
    changed = (ref.multi_head_attention(moved, *W, 2) != ref.multi_head_attention(X, *W, 2)).any(axis=1)
    np.testing.assert_array_equal(changed, np.arange(5) >= t)


@pytest.mark.parametrize("n_head", [4, 7, 0, -1])
def test_columns_that_do_not_divide_into_heads_are_refused(n_head):
    with pytest.raises(ValueError, match=f"6 columns do not divide into {n_head} heads"):
        ref.multi_head_attention(*heads(), n_head)


@pytest.mark.parametrize("position", range(5))
def test_many_heads_refuse_weights_that_do_not_fit(position):
    args = heads()
    args[position] = np.ones((4, 4))
    with pytest.raises(ValueError, match=r"\(4, 4\)"):
        ref.multi_head_attention(*args, 2)


# attention_backward


def differences(function, x, h=1e-6):
    """The gradient of a scalar function by central differences, entry by entry."""
    g = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[index] += h
        down[index] -= h
        g[index] = (function(up) - function(down)) / (2 * h)
    return g


def some_mask(T_q=5, T_k=7):
    mask = np.random.default_rng(8).random((T_q, T_k)) < 0.6
    mask[1] = False
    return mask


@pytest.mark.parametrize("mask", [None, np.tri(5, 7, 2, dtype=bool), some_mask()], ids=["none", "causal", "empty row"])
@pytest.mark.parametrize("batch", [(), (2,)])
def test_the_gradient_agrees_with_finite_differences(batch, mask):
    Q, K, V = qkv(6, batch)
    [dZ] = draw(7, (*batch, 5, 2))
    dQ, dK, dV = ref.attention_backward(Q, K, V, dZ, mask)
    np.testing.assert_allclose(dQ, differences(lambda q: (ref.attention(q, K, V, mask) * dZ).sum(), Q), atol=1e-7)
    np.testing.assert_allclose(dK, differences(lambda k: (ref.attention(Q, k, V, mask) * dZ).sum(), K), atol=1e-7)
    np.testing.assert_allclose(dV, differences(lambda v: (ref.attention(Q, K, v, mask) * dZ).sum(), V), atol=1e-7)


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [True, False])
def test_the_gradient_agrees_with_torch(batch, masked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch warns of while it loads is not ours
        import torch
    Q, K, V = qkv(9, batch)
    [dZ] = draw(10, (*batch, 5, 2))
    mask = np.tri(5, 7, 2, dtype=bool) if masked else None
    leaves = [torch.tensor(a, requires_grad=True) for a in (Q, K, V)]
    S = leaves[0] @ leaves[1].mT / math.sqrt(3)
    S = S if mask is None else S.masked_fill(~torch.tensor(mask), -math.inf)
    (torch.softmax(S, dim=-1) @ leaves[2]).backward(torch.tensor(dZ))
    for got, leaf in zip(ref.attention_backward(Q, K, V, dZ, mask), leaves, strict=True):
        np.testing.assert_allclose(got, leaf.grad.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_query_with_nothing_to_attend_to_passes_nothing_back(dtype):
    Q, K, V = qkv(dtype=dtype)
    [dZ] = draw(3, (5, 2), dtype=dtype)
    mask = some_mask()
    dQ, dK, dV = ref.attention_backward(Q, K, V, dZ, mask)
    assert (dQ[1] == 0).all()
    assert np.isfinite(dQ).all()
    dZ[1] = 100
    _, dK_same, dV_same = ref.attention_backward(Q, K, V, dZ, mask)
    np.testing.assert_array_equal(dK, dK_same)
    np.testing.assert_array_equal(dV, dV_same)
    for gradient in ref.attention_backward(Q, K, V, dZ, np.zeros((5, 7), dtype=bool)):
        assert (gradient == 0).all()


def test_a_key_no_query_sees_has_gradient_zero():
    Q, K, V = qkv()
    [dZ] = draw(3, (5, 2))
    keep = np.arange(7) != 4
    _, dK, dV = ref.attention_backward(Q, K, V, dZ, keep)
    assert (dK[4] == 0).all()
    assert (dV[4] == 0).all()


# the given helpers


def test_require_shapes_lets_pass_what_fits():
    ref.require_shapes("... T_q d_k, ... T_k d_k", np.ones((2, 3, 5, 4)), np.ones((2, 3, 7, 4)))
    ref.require_shapes("... T d, d e", np.ones((5, 4)), np.ones((4, 6)))
    ref.require_shapes("n", [1, 2, 3])


@pytest.mark.parametrize(
    ("pattern", "shapes"),
    [
        ("T d, d e", [(5, 4), (5, 6)]),
        ("T d", [(2, 5, 4)]),
        ("... T d", [(4,)]),
        ("... T d", [()]),
        ("... n, ... m", [(2, 3), (3, 3)]),
        ("n n", [(2, 3)]),
    ],
)
def test_require_shapes_refuses_what_does_not_fit_and_says_every_shape(pattern, shapes):
    with pytest.raises(ValueError, match="do not fit") as caught:
        ref.require_shapes(pattern, *map(np.ones, shapes))
    assert all(str(shape) in str(caught.value) for shape in shapes)
    assert all(f"[{part.strip()}]" in str(caught.value) for part in pattern.split(","))
