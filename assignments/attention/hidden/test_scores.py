"""What decides the score of `attention_scores`: the scaled products, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("attention.scores")


def queries_and_keys(rng, *lead, d_k=11):
    return rng.standard_normal((*lead, 5, d_k)), rng.standard_normal((*lead, 7, d_k))


def scored(submission, Q, K, what="the scores"):
    return as_array(submission.attention_scores(Q, K), shape=(*Q.shape[:-1], K.shape[-2]), what=what)


@core
def test_scores_are_dot_products_over_the_root_of_the_width(submission, reference, rng):
    Q, K = queries_and_keys(rng, d_k=7)
    # As many keys as they are wide, and first: here a product without the transpose gives numbers.
    assert_close(scored(submission, Q, K), reference.attention_scores(Q, K), what="the scores for T_k = d_k")
    for d_k in (11, 3, 1):  # several widths, so that no constant will do
        Q, K = queries_and_keys(rng, d_k=d_k)
        got = scored(submission, Q, K, what=f"the scores for d_k = {d_k}")
        assert_close(got, reference.attention_scores(Q, K), what=f"the scores for d_k = {d_k}")
    Q, K = rng.standard_normal((5, 11)), rng.standard_normal((5, 11))
    # As many queries as keys: here a transposed result has the right shape.
    assert_close(scored(submission, Q, K), reference.attention_scores(Q, K), what="the scores for T_q = T_k")


@edge
def test_batch_axes_come_along(submission, rng):
    for lead in ((2,), (2, 3)):
        Q, K = queries_and_keys(rng, *lead)
        got = scored(submission, Q, K, what=f"the scores of a batch of shape {lead}")
        for index in np.ndindex(*lead):
            alone = scored(submission, Q[index], K[index])
            assert_close(got[index], alone, what=f"the scores of one pair out of a batch of shape {lead}")


@edge
def test_float32_stays_float32(submission, rng):
    Q, K = (array.astype(np.float32) for array in queries_and_keys(rng))
    got = scored(submission, Q, K, what="the scores of float32")
    wide = scored(submission, Q.astype(np.float64), K.astype(np.float64))
    assert_close(got.astype(np.float32), wide.astype(np.float32), what="the scores of float32")
    as_array(got, dtype=np.float32, what="the scores of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    numbers = rng.integers(-30, 30, size=(5, 11)), rng.integers(-30, 30, size=(7, 11))
    for dtypes in ((np.int8, np.int8), (np.float32, np.float64), (np.float16, np.float16)):
        Q, K = (array.astype(dtype) for array, dtype in zip(numbers, dtypes, strict=True))
        what = f"the scores of {Q.dtype} and {K.dtype}"
        got = scored(submission, Q, K, what=what)
        wide = scored(submission, Q.astype(np.float64), K.astype(np.float64))
        if Q.dtype == np.float16:  # a result in float16 has three digits: first see whether they are right
            assert_close(got.astype(np.float64), wide, rtol=1e-2, atol=10.0, what=what)
        assert_close(got, wide, what=what)


@edge
def test_the_arguments_are_left_as_they_were(submission, rng):
    assert_unchanged(submission.attention_scores, *queries_and_keys(rng))


@edge
def test_shapes_that_do_not_fit_are_refused(submission, rng):
    Q, K = queries_and_keys(rng)
    assert_rejects(submission.attention_scores, Q, K[:, :6])
    assert_rejects(submission.attention_scores, Q[:, :1], K)
    assert_rejects(submission.attention_scores, Q[0], K)
