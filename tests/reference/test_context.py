"""What the reference of `context` promises, each promise on numbers one can follow."""

from __future__ import annotations

import copy
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import context as ref

FLOATS = (np.float32, np.float64)
X = np.array([[2.0, 0.0], [4.0, 6.0], [0.0, 9.0]])
TEXT = np.array([0, 1, 0, 2, 0, 1])  # a b a c a b
COUNTS = np.array([[0, 2, 1], [1, 0, 0], [1, 0, 0]])
TEXTS = st.lists(st.integers(0, 4), max_size=30).map(lambda ids: np.array(ids, dtype=np.int64))


def rows(seed, T, d, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(T, d)).astype(dtype)


# average_context


def test_the_context_is_the_mean_of_the_rows():
    np.testing.assert_array_equal(ref.average_context(X), [2, 5])


@given(st.integers(0, 2**32), st.permutations(range(5)))
def test_the_context_does_not_know_the_order_of_its_positions(seed, order):
    some = rows(seed, 5, 3)
    np.testing.assert_allclose(ref.average_context(some[order]), ref.average_context(some), atol=1e-12)


def test_a_context_of_nothing_is_refused():
    with pytest.raises(ValueError, match=r"at least one position, got shape \(0, 3\)"):
        ref.average_context(np.zeros((0, 3)))


# causal_average


def test_each_row_is_the_mean_of_the_rows_so_far():
    np.testing.assert_array_equal(ref.causal_average(X), [[2, 0], [3, 3], [2, 5]])


@given(st.integers(0, 2**32), st.integers(1, 7), st.data())
def test_a_row_depends_on_every_row_before_it_and_on_none_after_it(seed, T, data):
    some, t = rows(seed, T, 3), data.draw(st.integers(0, T - 1))
    other = some.copy()
    other[t] += 1
    changed = (ref.causal_average(other) != ref.causal_average(some)).all(axis=1)
    np.testing.assert_array_equal(changed, np.arange(T) >= t)


@pytest.mark.parametrize("dtype", FLOATS)
def test_no_positions_have_no_averages(dtype):
    got = ref.causal_average(np.zeros((0, 3), dtype=dtype))
    assert got.shape == (0, 3)
    assert got.dtype == dtype


# average_weights


def test_weights_by_hand():
    np.testing.assert_allclose(ref.average_weights(3), [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]])


@given(st.integers(0, 2**32), st.integers(0, 9))
def test_the_weights_are_lower_triangular_and_row_stochastic_and_give_the_averages(seed, T):
    W, some = ref.average_weights(T), rows(seed, T, 3)
    assert W.shape == (T, T)
    assert W.dtype == np.float64
    assert not np.triu(W, 1).any()
    np.testing.assert_allclose(W.sum(axis=1), np.ones(T))
    np.testing.assert_allclose(W @ some, ref.causal_average(some), atol=1e-12)


@pytest.mark.parametrize("T", [-1, -7])
def test_a_negative_number_of_positions_is_refused(T):
    with pytest.raises(ValueError, match=f"{T} positions"):
        ref.average_weights(T)


# bigram_counts


def test_counts_by_hand():
    got = ref.bigram_counts(TEXT, 3)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got, COUNTS)


@given(TEXTS)
def test_there_is_one_count_less_than_tokens(tokens):
    counts = ref.bigram_counts(tokens, 5)
    assert counts.shape == (5, 5)
    assert counts.sum() == max(len(tokens) - 1, 0)
    leaves = np.bincount(tokens[:-1], minlength=5) if len(tokens) else 0
    arrives = np.bincount(tokens[1:], minlength=5) if len(tokens) else 0
    np.testing.assert_array_equal(counts.sum(axis=1), leaves)
    np.testing.assert_array_equal(counts.sum(axis=0), arrives)


@given(TEXTS)
def test_a_text_read_backwards_has_the_transposed_counts(tokens):
    np.testing.assert_array_equal(ref.bigram_counts(tokens[::-1], 5), ref.bigram_counts(tokens, 5).T)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.uint64])
def test_ids_of_any_integer_dtype_count_alike(dtype):
    tokens = np.array([99, 3, 99, 3, 120])
    np.testing.assert_array_equal(ref.bigram_counts(tokens.astype(dtype), 121), ref.bigram_counts(tokens, 121))


# bigram_probs


def test_probabilities_by_hand():
    np.testing.assert_allclose(
        ref.bigram_probs(COUNTS), [[1 / 6, 3 / 6, 2 / 6], [2 / 4, 1 / 4, 1 / 4], [2 / 4, 1 / 4, 1 / 4]]
    )
    np.testing.assert_allclose(ref.bigram_probs(COUNTS, 0.0), [[0, 2 / 3, 1 / 3], [1, 0, 0], [1, 0, 0]])


@pytest.mark.parametrize("alpha", [0, 0.0, 1e-300, 1e-3, 2.5])
@pytest.mark.parametrize("dtype", FLOATS)
def test_an_unseen_row_is_uniform_whatever_alpha_is(alpha, dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = ref.bigram_probs(np.array([[0, 0], [1, 3]], dtype=dtype), alpha)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got[0], [0.5, 0.5])


@given(TEXTS, st.floats(0, 100))
def test_rows_sum_to_one_and_more_counts_are_more_probability(tokens, alpha):
    counts = ref.bigram_counts(tokens, 5)
    P = ref.bigram_probs(counts, alpha)
    np.testing.assert_allclose(P.sum(axis=1), np.ones(5))
    more = counts[:, :, None] >= counts[:, None, :]
    assert (P[:, :, None] >= P[:, None, :])[more].all()


@pytest.mark.parametrize(("counts", "alpha"), [(COUNTS, -0.5), (COUNTS - 1, 2.0)])
def test_numbers_below_zero_are_refused(counts, alpha):
    with pytest.raises(ValueError, match=f"cannot be negative, got alpha {alpha}"):
        ref.bigram_probs(counts, alpha)


# bigram_perplexity


def test_perplexity_by_hand():
    assert ref.bigram_perplexity(ref.bigram_probs(COUNTS), TEXT) == pytest.approx(48 ** (1 / 5))
    assert ref.bigram_perplexity(ref.bigram_probs(COUNTS, 0.0), TEXT) == pytest.approx((27 / 4) ** (1 / 5))


@given(TEXTS.filter(lambda tokens: len(tokens) > 1))
def test_a_model_that_knows_nothing_is_undecided_over_the_whole_vocabulary(tokens):
    assert ref.bigram_perplexity(np.full((5, 5), 0.2), tokens) == pytest.approx(5)


@given(TEXTS.filter(lambda tokens: len(tokens) > 1), st.integers(0, 2**32))
def test_no_model_is_less_perplexed_by_a_text_than_its_own_shares(tokens, seed):
    own = ref.bigram_perplexity(ref.bigram_probs(ref.bigram_counts(tokens, 5), 0.0), tokens)
    other = np.random.default_rng(seed).dirichlet(np.ones(5), size=5)
    assert 1 - 1e-12 <= own <= ref.bigram_perplexity(other, tokens) + 1e-9


def test_an_impossible_pair_makes_it_infinite_only_where_it_occurs():
    shares = ref.bigram_probs(COUNTS, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ref.bigram_perplexity(shares, np.array([0, 1, 0, 0])) == math.inf
        assert ref.bigram_perplexity(shares, np.array([0, 2])) == pytest.approx(3)


def test_it_is_a_float_and_a_long_text_does_no_harm():
    got = ref.bigram_perplexity(np.full((4, 4), 0.25, dtype=np.float32), np.tile([0, 3], 10_000))
    assert type(got) is float
    assert got == pytest.approx(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ref.bigram_perplexity(np.full((2, 2), 5e-324), np.array([0, 1])) == math.inf


@pytest.mark.parametrize("length", [0, 1])
def test_a_text_without_pairs_is_refused(length):
    with pytest.raises(ValueError, match=f"two tokens, got {length}"):
        ref.bigram_perplexity(ref.bigram_probs(COUNTS), TEXT[:length])


# Rules that hold for several functions


def token_calls(tokens):
    return {"bigram_counts": (tokens, 3), "bigram_perplexity": (ref.bigram_probs(COUNTS), tokens)}


@pytest.mark.parametrize("name", ["bigram_counts", "bigram_perplexity"])
@pytest.mark.parametrize("wrong", [-1, 3, 100])
def test_an_id_out_of_range_is_refused_and_named(name, wrong):
    with pytest.raises(ValueError, match=f"token id {wrong} is not in a vocabulary of 3"):
        getattr(ref, name)(*token_calls(np.array([0, wrong, 1]))[name])


@pytest.mark.parametrize("name", ["bigram_counts", "bigram_perplexity"])
@pytest.mark.parametrize("tokens", [TEXT.reshape(2, 3), TEXT.astype(float), TEXT > 0, np.array(1)])
def test_tokens_are_one_axis_of_integers(name, tokens):
    with pytest.raises(ValueError, match=r"integers|do not fit \[T\]"):
        getattr(ref, name)(*token_calls(tokens)[name])


@pytest.mark.parametrize("name", ["average_context", "causal_average"])
@pytest.mark.parametrize("shape", [(3,), (2, 3, 5)])
def test_what_is_not_a_matrix_is_refused(name, shape):
    with pytest.raises(ValueError, match=r"do not fit \[T d\]"):
        getattr(ref, name)(np.ones(shape))


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (3,), (3, 3, 3)])
def test_a_table_that_is_not_square_is_refused(shape):
    with pytest.raises(ValueError, match=r"do not fit \[V V\]"):
        ref.bigram_probs(np.ones(shape))
    with pytest.raises(ValueError, match=r"do not fit \[V V\]"):
        ref.bigram_perplexity(np.ones(shape), np.array([0, 1]))


@pytest.mark.parametrize("name", ["average_context", "causal_average", "bigram_probs"])
@pytest.mark.parametrize(
    ("given_dtype", "expected"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64), (np.int8, np.float64)],
)
def test_the_dtype_of_the_result_follows_the_rule(name, given_dtype, expected):
    got = getattr(ref, name)(np.full((3, 3), 100, dtype=given_dtype))
    assert got.dtype == expected
    np.testing.assert_allclose(got, 1 / 3 if name == "bigram_probs" else 100, rtol=1e-6)


@pytest.mark.parametrize("name", ["average_context", "causal_average", "bigram_probs"])
def test_complex_numbers_are_refused(name):
    with pytest.raises(ValueError, match="real numbers are needed"):
        getattr(ref, name)(np.ones((3, 3), dtype=complex))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("average_context", (X[:1],)),
        ("causal_average", (X,)),
        ("bigram_counts", (TEXT, 3)),
        ("bigram_probs", (COUNTS.astype(float), 2.0)),
        ("bigram_probs", (COUNTS.astype(float), 0.0)),
        ("bigram_perplexity", (ref.bigram_probs(COUNTS), TEXT)),
    ],
)
def test_no_argument_is_modified_and_no_result_shares_its_memory(name, args):
    before = copy.deepcopy(args)
    got = getattr(ref, name)(*args)
    for arg, old in zip(args, before, strict=True):
        np.testing.assert_array_equal(arg, old)
        assert not np.shares_memory(got, arg)
