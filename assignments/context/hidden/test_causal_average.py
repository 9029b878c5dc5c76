"""What decides the score of `causal_average`: each row the mean of the rows so far, then every edge by itself."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.causal_average")


def averaged(submission, X, what="the averages"):
    return as_array(submission.causal_average(X), shape=X.shape, what=what)


@core
def test_each_row_is_the_mean_of_the_rows_so_far(submission, reference, rng):
    for shape in ((5, 5), (7, 3)):  # square first: there a mean over the wrong axis has the right shape
        X = rng.normal(1, 2, size=shape)
        got = averaged(submission, X)
        assert_close(got[0], X[0], what="row 0, which has itself alone")
        assert_close(got[-1], X.mean(axis=0), what="the last row, which sees all positions")
        assert_close(got, reference.causal_average(X), what=f"the averages of X {shape}")


@edge
def test_a_single_position_or_a_single_feature_keeps_its_axes(submission, rng):
    X = rng.normal(size=(7, 3))
    for part in (X[:1], X[:, :1], X[:1, :1]):
        averaged(submission, part, what=f"the averages of X {part.shape}")


@edge
def test_no_positions_have_no_averages(submission):
    averaged(submission, np.zeros((0, 3)), what="the averages of no positions")


@edge
def test_what_is_not_a_matrix_is_refused(submission, rng):
    X = rng.normal(size=(7, 3))
    assert_rejects(submission.causal_average, X[:, 0])
    assert_rejects(submission.causal_average, X[None])
    assert_rejects(submission.causal_average, X[:0, 0])


@edge
def test_float32_stays_float32(submission, rng):
    X = rng.normal(1, 2, size=(7, 3)).astype(np.float32)
    as_array(submission.causal_average(X), dtype=np.float32, what="the averages of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    whole = rng.integers(60, 120, size=(7, 3))  # 7 of them are more than int8 holds
    for dtype in (np.int8, np.int64, np.float16):
        got = as_array(submission.causal_average(whole.astype(dtype)), what=f"the averages of {np.dtype(dtype)}")
        wide = as_array(submission.causal_average(whole.astype(np.float64)))
        assert_close(got, wide.astype(np.float64), what=f"the averages of {np.dtype(dtype)}")


@edge
def test_the_argument_is_left_as_it_was(submission, rng):
    assert_unchanged(submission.causal_average, rng.normal(size=(7, 3)))
