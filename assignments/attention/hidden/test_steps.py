"""What decides the score of `attention_steps`: the scores, masked or not, what follows from them, and every edge.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_equal,
    assert_keys,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.steps")

KEYS = ("scores", "masked", "weights", "output")


def tokens(rng, *lead, T=5):
    return tuple(rng.standard_normal((*lead, T, width)) for width in (11, 11, 13))


def worked(submission, Q, K, V):
    """The four steps as arrays of the right shape, whatever their dtype."""
    got = assert_keys(submission.attention_steps(Q, K, V), *KEYS, what="the steps")
    square = (*Q.shape[:-1], Q.shape[-2])
    shapes = dict.fromkeys(KEYS, square) | {"output": (*Q.shape[:-1], V.shape[-1])}
    return {key: as_array(got[key], shape=shapes[key], what=f"`{key}`") for key in KEYS}


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


def one_float64(arrays, place):
    """The arrays in float32 save one, which is reason enough to compute in float64."""
    return [array if at == place else array.astype(np.float32) for at, array in enumerate(arrays)]


@core
def test_scores_are_kept_whole_and_masked_scores_show_the_past_only(submission, reference, rng):
    for T in (3, 5):  # three tokens as in the hand calculation first, then as many as a mask made for three cannot hide
        Q, K, V = tokens(rng, T=T)
        got, expected = worked(submission, Q, K, V), reference.attention_steps(Q, K, V)
        assert_close(got["scores"], expected["scores"], what=f"`scores` of {T} tokens")
        past = np.tri(T, dtype=bool)
        where = f"of {T} tokens where a key lies"
        assert_close(got["masked"][past], expected["scores"][past], what=f"`masked` {where} in the past")
        assert (got["masked"][~past] < -1e6).all(), f"`masked` {where} ahead of its query should be -inf"


@core
def test_weights_are_causal_distributions_and_the_output_their_mean_of_values(submission, reference, rng):
    X = rng.standard_normal((5, 7))
    matrices = [rng.standard_normal((7, width)) / np.sqrt(7) for width in (11, 11, 13)]
    got = worked(submission, *(X @ W for W in matrices))
    assert_row_stochastic(got["weights"], what="`weights`")
    for t in (0, 2):
        changed = X.copy()
        changed[t] += 2 * rng.standard_normal(7)
        moved = np.abs(worked(submission, *(changed @ W for W in matrices))["output"] - got["output"]).max(axis=-1)
        assert not (moved[:t] > 1e-9).any(), f"token {t} was changed, and an output before it changed too"
        assert (moved[t:] > 1e-9).all(), f"token {t} was changed, but not every output from it on changed"
    expected = reference.attention_steps(*(X @ W for W in matrices))
    assert_close(got["weights"], expected["weights"], what="`weights`")
    assert_close(got["output"], expected["output"], what="`output`")


@edge
def test_hidden_scores_are_exactly_minus_infinity(submission, rng):
    got = worked(submission, *tokens(rng))
    assert_equal(np.isneginf(got["masked"]), ~np.tri(5, dtype=bool), what="where `masked` is -inf")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3)):
        Q, K, V = tokens(rng, *lead)
        got = worked(submission, Q, K, V)
        for index in np.ndindex(*lead):
            alone = worked(submission, Q[index], K[index], V[index])
            for key in KEYS:
                assert_close(got[key][index], alone[key], what=f"`{key}` of one example out of a batch of shape {lead}")


@edge
def test_as_many_keys_and_values_as_queries_are_needed(submission, rng):
    Q, K, V = tokens(rng)
    assert_rejects(submission.attention_steps, Q, K[:3], V[:3])
    assert_rejects(submission.attention_steps, Q, K, V[:3])
    assert_rejects(submission.attention_steps, Q, K, V[:1])
    assert_rejects(submission.attention_steps, Q, K, V[:, 0])
    assert_rejects(submission.attention_steps, Q, K[:3], V)
    assert_rejects(submission.attention_steps, Q[:3], K, V)
    assert_rejects(submission.attention_steps, Q[:3], K[:3], V)


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    Q, K, V = (np.round(2 * array) / 2 for array in tokens(rng))  # halves are exact in every dtype
    wide = worked(submission, Q, K, V)
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        got = worked(submission, *(array.astype(dtype) for array in (Q, K, V)))
        for key in KEYS:
            what = f"`{key}` of {np.dtype(dtype)}"
            assert_close(got[key].astype(np.float64), wide[key], rtol=1e-2, atol=1e-2, what=what)
            assert_close(got[key], wide[key].astype(result), what=what)
    for place, name in enumerate("QKV"):
        got = worked(submission, *one_float32((Q, K, V), place))
        for key in KEYS:
            assert_close(got[key], wide[key], what=f"`{key}` where {name} alone is float32")
        got = worked(submission, *one_float64((Q, K, V), place))
        for key in KEYS:
            assert_close(got[key], wide[key], what=f"`{key}` where {name} alone is float64")


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.attention_steps, *tokens(rng))
