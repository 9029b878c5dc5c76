"""What decides the score of `average_context`: the mean over positions, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.average")


def averaged(submission, X, what="the context"):
    return as_array(submission.average_context(X), shape=X.shape[1:], what=what)


@core
def test_the_context_is_the_mean_over_the_positions(submission, reference, rng):
    for shape in ((5, 5), (7, 3), (2, 11)):  # square first: there a mean over the wrong axis has the right shape
        X = rng.normal(1, 2, size=shape)
        assert_close(averaged(submission, X), reference.average_context(X), what=f"the context of X {shape}")


@edge
def test_a_single_position_or_a_single_feature_keeps_its_axis(submission, rng):
    X = rng.normal(size=(7, 3))
    one = averaged(submission, X[:1], what="the context of one position")
    assert_close(one, X[0], what="the context of one position")
    averaged(submission, X[:, :1], what="the context of one feature")


@edge
def test_no_positions_are_refused(submission):
    assert_rejects(submission.average_context, np.zeros((0, 3)))


@edge
def test_what_is_not_a_matrix_is_refused(submission, rng):
    X = rng.normal(size=(7, 3))
    assert_rejects(submission.average_context, X[:, 0])
    assert_rejects(submission.average_context, X[None])


@edge
def test_float32_stays_float32(submission, rng):
    X = rng.normal(1, 2, size=(7, 3)).astype(np.float32)
    as_array(submission.average_context(X), dtype=np.float32, what="the context of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    whole = rng.integers(60, 120, size=(7, 3))  # 7 of them are more than int8 holds
    for dtype in (np.int8, np.int64, np.float16):
        got = as_array(submission.average_context(whole.astype(dtype)), what=f"the context of {np.dtype(dtype)}")
        wide = as_array(submission.average_context(whole.astype(np.float64)))
        assert_close(got, wide.astype(np.float64), what=f"the context of {np.dtype(dtype)}")


@edge
def test_the_argument_is_left_as_it_was(submission, rng):
    assert_unchanged(submission.average_context, rng.normal(size=(7, 3)))
