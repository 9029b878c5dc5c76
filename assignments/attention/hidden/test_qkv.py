"""What decides the score of `project_qkv`: the products on one sequence, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_rejects,
    assert_tuple,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.qkv")


def weights(rng, d_model, d_k, d_v):
    return [rng.standard_normal((d_model, width)) for width in (d_k, d_k, d_v)]


def projected(submission, X, *matrices):
    """The three results as arrays of the right shape, whatever their dtype."""
    parts = assert_tuple(submission.project_qkv(X, *matrices), 3, what="(Q, K, V)")
    shapes = [(*np.shape(X)[:-1], np.shape(W)[1]) for W in matrices]
    return [as_array(part, shape=shape, what=name) for name, part, shape in zip("QKV", parts, shapes, strict=True)]


@core
def test_each_projection_is_the_product_with_its_own_matrix(submission, reference, rng):
    X = rng.standard_normal((5, 7))
    for d_k, d_v in ((7, 7), (11, 13)):  # square matrices first: there a transposed one gives numbers
        matrices = weights(rng, 7, d_k, d_v)
        got = projected(submission, X, *matrices)
        for name, part, expected in zip("QKV", got, reference.project_qkv(X, *matrices), strict=True):
            assert_close(part, expected, what=name)


@edge
def test_batch_axes_come_along(submission, rng):
    matrices = weights(rng, 7, 11, 13)
    for lead in ((2,), (2, 3)):
        X = rng.standard_normal((*lead, 5, 7))
        got = projected(submission, X, *matrices)
        for index in np.ndindex(*lead):
            alone = projected(submission, X[index], *matrices)
            for name, part, expected in zip("QKV", got, alone, strict=True):
                assert_close(part[index], expected, what=f"{name} of one sequence out of a batch of shape {lead}")


@edge
def test_float32_stays_float32(submission, rng):
    X, *matrices = rng.standard_normal((5, 7)), *weights(rng, 7, 11, 13)
    X, *matrices = (array.astype(np.float32) for array in (X, *matrices))
    got = projected(submission, X, *matrices)
    wide = projected(submission, *(array.astype(np.float64) for array in (X, *matrices)))
    for name, part, expected in zip("QKV", got, wide, strict=True):
        assert_close(part.astype(np.float32), expected.astype(np.float32), what=f"{name} of float32")
        as_array(part, dtype=np.float32, what=f"{name} of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    numbers = [rng.integers(-30, 30, size=shape) for shape in ((5, 7), (7, 11), (7, 11), (7, 13))]
    for dtype, others in ((np.int8, np.int8), (np.float32, np.float64), (np.float16, np.float16)):
        X, *matrices = (numbers[0].astype(dtype), *(array.astype(others) for array in numbers[1:]))
        got = projected(submission, X, *matrices)
        wide = projected(submission, *(array.astype(np.float64) for array in (X, *matrices)))
        for name, part, expected in zip("QKV", got, wide, strict=True):
            what = f"{name} of {X.dtype} and {matrices[0].dtype}"
            if dtype is np.float16:  # a result in float16 has three digits: first see whether they are right
                assert_close(part.astype(np.float64), expected, rtol=1e-2, atol=10.0, what=what)
            assert_close(part, expected, what=what)


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    X, *matrices = rng.standard_normal((2, 5, 7)), *weights(rng, 7, 11, 13)
    assert_unchanged(submission.project_qkv, X, *matrices)


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    X = rng.standard_normal((5, 7))
    W_q, W_k, W_v = weights(rng, 7, 11, 13)
    assert_rejects(submission.project_qkv, X, W_q, W_k, W_v[:6])
    assert_rejects(submission.project_qkv, X[:, :1], W_q, W_k, W_v)
