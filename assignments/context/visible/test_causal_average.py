"""context.causal_average: each position averages itself and those before it."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.causal_average")

X = np.array([[2.0, 0.0], [4.0, 6.0], [0.0, 9.0]])
AVERAGES = np.array([[2.0, 0.0], [3.0, 3.0], [2.0, 5.0]])


def averaged(submission, X):
    return as_array(submission.causal_average(X), shape=X.shape, what=f"the averages of X {X.shape}")


@core
def test_the_first_row_has_itself_alone(submission):
    assert_close(averaged(submission, X)[0], X[0], what="row 0 of the averages")


@core
def test_the_last_row_averages_all_positions(submission):
    assert_close(averaged(submission, X)[-1], np.array([2.0, 5.0]), what="the last row of the averages")


@core
def test_a_later_row_changes_nothing_before_it(submission):
    other = X.copy()
    other[2] = [50.0, -50.0]
    assert_close(averaged(submission, other)[:2], AVERAGES[:2], what="rows 0 and 1, with another row 2")


@core
def test_each_row_is_the_mean_of_the_rows_so_far(submission):
    assert_close(averaged(submission, X), AVERAGES, what="the averages of the worked example")


@core
def test_positions_and_features_are_not_exchanged_where_there_are_as_many(submission):
    assert_close(averaged(submission, X[:2]), AVERAGES[:2], what="the averages of the first two rows")


@edge
def test_one_position_or_one_feature_keeps_both_axes(submission):
    assert_close(averaged(submission, X[:1]), X[:1], what="the average of one position")
    assert_close(averaged(submission, X[:, :1]), AVERAGES[:, :1], what="the averages of one feature")


@edge
def test_no_positions_have_no_averages(submission):
    averaged(submission, np.zeros((0, 2)))


@edge
def test_a_vector_and_a_batch_are_an_error(submission):
    assert_rejects(submission.causal_average, X[0])
    assert_rejects(submission.causal_average, np.stack([X, X]))


@edge
def test_float32_stays_float32(submission):
    as_array(submission.causal_average(X.astype(np.float32)), dtype=np.float32, what="the averages of float32")


@edge
def test_integers_and_float16_become_float64(submission):
    for dtype in (np.int8, np.int64, np.float16):
        got = submission.causal_average((10 * X + 30).astype(dtype))
        assert_close(got, 10 * AVERAGES + 30, what=f"the averages of {np.dtype(dtype)}")


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.causal_average, X)
