"""What decides the score of `two_token_example`: the lecture's numbers, other numbers, then every edge by itself."""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_keys,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.two_tokens")


def worked(got, d_v=1):
    """The three parts as arrays of the right shape, whatever their dtype."""
    assert_keys(got, "S", "A", "Z", what="the example")
    shapes = {"S": (2, 2), "A": (2, 2), "Z": (2, d_v)}
    return {key: as_array(got[key], shape=shape, what=key) for key, shape in shapes.items()}


def numbers(rng, d_k=3, d_v=5):
    """Queries, keys and values as wide as the lecture's are not, save where that is asked for."""
    return tuple(2 * rng.standard_normal((2, width)) for width in (d_k, d_k, d_v))


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


def one_float64(arrays, place):
    """The arrays in float32 save one, which is reason enough to compute in float64."""
    return [array if at == place else array.astype(np.float32) for at, array in enumerate(arrays)]


@core
def test_the_lecture_s_numbers_give_19_82(submission, reference):
    got = worked(submission.two_token_example())
    assert_row_stochastic(got["A"], what="A")
    for key, expected in reference.two_token_example().items():
        assert_close(got[key], expected, what=f"{key} of the lecture's example")
    assert round(float(got["Z"][1, 0]), 2) == 19.82, "the second output of the lecture's example is 19.82"


@core
def test_other_numbers_are_worked_in_the_same_way(submission, reference, rng):
    for d_k, d_v in ((1, 1), (3, 5)):  # at d_k = 1 alone no scale can be seen
        Q, K, V = numbers(rng, d_k, d_v)
        got = worked(submission.two_token_example(Q, K, V), d_v)
        assert_row_stochastic(got["A"], what="A")
        for key, expected in reference.two_token_example(Q, K, V).items():
            assert_close(got[key], expected, what=f"{key} of other numbers, for d_k = {d_k} and d_v = {d_v}")


@edge
def test_what_does_not_fit_is_refused(submission, rng):
    Q, K, V = numbers(rng)
    assert_rejects(submission.two_token_example, Q[:, :1], K, V)
    assert_rejects(submission.two_token_example, Q, K[:, :2], V)
    assert_rejects(submission.two_token_example, Q, K[:, :1], V)
    assert_rejects(submission.two_token_example, Q, K, np.concatenate([V, V]))
    assert_rejects(submission.two_token_example, Q, K, V[:, 0])


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    Q, K, V = (np.round(2 * array) / 2 for array in numbers(rng))  # halves are exact in every dtype
    wide = worked(submission.two_token_example(Q, K, V), d_v=5)
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        got = worked(submission.two_token_example(Q.astype(dtype), K.astype(dtype), V.astype(dtype)), d_v=5)
        for key, part in got.items():
            what = f"{key} of {np.dtype(dtype)}"
            assert_close(part.astype(np.float64), wide[key], rtol=1e-2, atol=1e-2, what=what)
            assert_close(part, wide[key].astype(result), what=what)
    for place, name in enumerate("QKV"):
        got = worked(submission.two_token_example(*one_float32((Q, K, V), place)), d_v=5)
        for key, part in got.items():
            assert_close(part, wide[key], what=f"{key} where {name} alone is float32")
        got = worked(submission.two_token_example(*one_float64((Q, K, V), place)), d_v=5)
        for key, part in got.items():
            assert_close(part, wide[key], what=f"{key} where {name} alone is float64")


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.two_token_example, *numbers(rng))
