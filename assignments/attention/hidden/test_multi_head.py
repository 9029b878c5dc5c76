"""What decides the score of `multi_head_attention`: causal, not causal, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_finite, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.multi_head")

HEADS = 3


def arguments(rng, *lead, d_in=7, width=HEADS * 11, d_out=13):
    """Tokens, and matrices of a size that keeps every score near 1."""
    X = rng.standard_normal((*lead, 5, d_in))
    projections = [rng.standard_normal((d_in, width)) / np.sqrt(d_in) for _ in range(3)]
    return X, *projections, rng.standard_normal((width, d_out)) / np.sqrt(width)


def attended(submission, X, *matrices, what="the output", **options):
    got = submission.multi_head_attention(X, *matrices, HEADS, **options)
    return as_array(got, shape=(*X.shape[:-1], matrices[-1].shape[1]), what=what)


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


def one_float64(arrays, place):
    """The arrays in float32 save one, which is reason enough to compute in float64."""
    return [array if at == place else array.astype(np.float32) for at, array in enumerate(arrays)]


@core
def test_causal_heads_let_a_token_reach_all_later_outputs_and_no_earlier_one(submission, reference, rng):
    X, *matrices = arguments(rng)
    got = attended(submission, X, *matrices)
    assert_finite(got, what="the causal output")
    for t in (0, 2):
        changed = X.copy()
        changed[t] += 2 * rng.standard_normal(7)
        moved = np.abs(attended(submission, changed, *matrices) - got).max(axis=-1)
        assert not (moved[:t] > 1e-9).any(), f"token {t} was changed, and an output before it changed too"
        assert (moved[t:] > 1e-9).all(), f"token {t} was changed, but not every output from it on changed"
    assert_close(got, reference.multi_head_attention(X, *matrices, HEADS), what="the causal output")


@core
def test_without_the_causal_mask_every_token_reaches_every_output(submission, reference, rng):
    for sizes in ({"d_in": 15, "width": 15, "d_out": 15}, {}):  # square first: there a transposed matrix gives numbers
        X, *matrices = arguments(rng, **sizes)
        got = attended(submission, X, *matrices, causal=False)
        assert_finite(got, what="the output with causal=False")
        for t in (0, 4):
            changed = X.copy()
            changed[t] += 2 * rng.standard_normal(X.shape[1])
            moved = np.abs(attended(submission, changed, *matrices, causal=False) - got).max(axis=-1)
            assert (moved > 1e-9).all(), f"token {t} was changed, but not every output changed, though causal=False"
        expected = reference.multi_head_attention(X, *matrices, HEADS, causal=False)
        assert_close(got, expected, what="the output with causal=False")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3), (1,)):
        X, *matrices = arguments(rng, *lead)
        for causal in (True, False):
            what = f"with causal={causal}, the output of a batch of shape {lead}"
            got = attended(submission, X, *matrices, causal=causal, what=what)
            for index in np.ndindex(*lead):
                alone = attended(submission, X[index], *matrices, causal=causal)
                assert_close(got[index], alone, what=f"{what}, at one sequence")


@edge
def test_what_does_not_fit_is_refused(submission, rng):
    assert_rejects(submission.multi_head_attention, *arguments(rng, d_in=15, width=14), HEADS)
    X, *projections, W_o = arguments(rng)
    for width in (1, 6):
        assert_rejects(submission.multi_head_attention, X[:, :width], *projections, W_o, HEADS)
    for height in (1, 22, 44):
        assert_rejects(submission.multi_head_attention, X, *projections, np.resize(W_o, (height, 13)), HEADS)
    W_q, W_k, W_v = projections
    wider, fitting = np.hstack([W_v, W_v]), np.vstack([W_o, W_o])
    assert_rejects(submission.multi_head_attention, X, W_q, W_k, wider, fitting, HEADS)


@edge
def test_no_heads_at_all_is_refused(submission, rng):
    assert_rejects(submission.multi_head_attention, *arguments(rng), 0)
    got = submission.multi_head_attention(*arguments(rng), 1)
    as_array(got, shape=(5, 13), what="the output of a single head")


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    X, *matrices = (np.round(8 * array) / 8 for array in arguments(rng))  # eighths are exact in every dtype
    wide = attended(submission, X, *matrices)
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        what = f"the output of {np.dtype(dtype)}"
        got = attended(submission, *(array.astype(dtype) for array in (X, *matrices)), what=what)
        assert_close(got.astype(np.float64), wide, rtol=1e-2, atol=1e-2, what=what)
        assert_close(got, wide.astype(result), what=what)
    for place, name in enumerate(("X", "W_q", "W_k", "W_v", "W_o")):
        what = f"the output where {name} alone is float32"
        assert_close(attended(submission, *one_float32((X, *matrices), place), what=what), wide, what=what)
        what = f"the output where {name} alone is float64"
        assert_close(attended(submission, *one_float64((X, *matrices), place), what=what), wide, what=what)


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.multi_head_attention, *arguments(rng), HEADS)
