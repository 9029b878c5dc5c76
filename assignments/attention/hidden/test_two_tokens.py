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


def columns(rng):
    return tuple(2 * rng.standard_normal((2, 1)) for _ in range(3))


def one_float32(arrays, place):
    """The arrays with one of them in float32, which is no reason to compute in float32."""
    return [array.astype(np.float32) if at == place else array for at, array in enumerate(arrays)]


@core
def test_the_lecture_s_numbers_give_19_82(submission, reference):
    got = worked(submission.two_token_example())
    assert_row_stochastic(got["A"], what="A")
    for key, expected in reference.two_token_example().items():
        assert_close(got[key], expected, what=f"{key} of the lecture's example")
    assert round(float(got["Z"][1, 0]), 2) == 19.82, "the second output of the lecture's example is 19.82"


@core
def test_other_numbers_are_worked_in_the_same_way(submission, reference, rng):
    Q, K, V = columns(rng)
    got = worked(submission.two_token_example(Q, K, V))
    assert_row_stochastic(got["A"], what="A")
    for key, expected in reference.two_token_example(Q, K, V).items():
        assert_close(got[key], expected, what=f"{key} of other numbers")


@edge
def test_wider_vectors_are_scaled(submission, rng):
    Q, K, _ = columns(rng)
    narrow = worked(submission.two_token_example(Q=Q, K=K))
    # Q and K repeated 4 times: every dot product grows by 4, every scaled score by the root of 4.
    wide = worked(submission.two_token_example(Q=np.repeat(Q, 4, axis=1), K=np.repeat(K, 4, axis=1)))
    assert_close(wide["S"], 2 * narrow["S"], what="S for d_k = 4, against twice S for d_k = 1")
    # Queries half as long bring the scores back, and with them the weights.
    same = worked(submission.two_token_example(Q=np.repeat(Q / 2, 4, axis=1), K=np.repeat(K, 4, axis=1)))
    assert_close(same["A"], narrow["A"], what="A for d_k = 4, against A for d_k = 1 and the same scores")
    assert_close(same["Z"], narrow["Z"], what="Z for d_k = 4, against Z for d_k = 1 and the same scores")


@edge
def test_wider_values_give_wider_outputs(submission, rng):
    Q, K, _ = columns(rng)
    V = rng.standard_normal((2, 3))
    got = worked(submission.two_token_example(Q, K, V), d_v=3)
    for column in range(3):
        alone = worked(submission.two_token_example(Q, K, V[:, [column]]))
        assert_close(got["Z"][:, [column]], alone["Z"], what=f"column {column} of Z for d_v = 3")


@edge
def test_what_does_not_fit_is_refused(submission, rng):
    Q, K, V = columns(rng)
    assert_rejects(submission.two_token_example, np.repeat(Q, 3, axis=1), K, V)
    assert_rejects(submission.two_token_example, np.repeat(Q, 3, axis=1), np.repeat(K, 2, axis=1), V)
    assert_rejects(submission.two_token_example, Q, np.repeat(K, 2, axis=1), V)
    assert_rejects(submission.two_token_example, Q, K, np.concatenate([V, V]))


@edge
def test_the_dtype_follows_the_inputs(submission, rng):
    Q, K, V = (np.round(2 * array) / 2 for array in columns(rng))  # halves are exact in every dtype
    wide = worked(submission.two_token_example(Q, K, V))
    for dtype, result in ((np.float32, np.float32), (np.float16, np.float64)):
        got = worked(submission.two_token_example(Q.astype(dtype), K.astype(dtype), V.astype(dtype)))
        for key, part in got.items():
            what = f"{key} of {np.dtype(dtype)}"
            assert_close(part.astype(np.float64), wide[key], rtol=1e-2, atol=1e-2, what=what)
            assert_close(part, wide[key].astype(result), what=what)
    for place, name in enumerate("QKV"):
        got = worked(submission.two_token_example(*one_float32((Q, K, V), place)))
        for key, part in got.items():
            assert_close(part, wide[key], what=f"{key} where {name} alone is float32")


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.two_token_example, *columns(rng))
