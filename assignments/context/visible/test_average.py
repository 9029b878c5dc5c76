"""context.average: one vector for the whole context."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("context.average")

X = np.array([[2.0, 0.0], [4.0, 6.0], [0.0, 9.0]])


@core
def test_three_positions_of_width_two_give_one_vector_of_width_two(submission):
    as_array(submission.average_context(X), shape=(2,), what="the context of 3 positions of width 2")


@core
def test_the_context_is_the_mean_of_each_column(submission):
    assert_close(submission.average_context(X), np.array([2.0, 5.0]), what="the context of the worked example")


@core
def test_positions_and_features_are_not_exchanged_where_there_are_as_many(submission):
    assert_close(submission.average_context(X[:2]), np.array([3.0, 3.0]), what="the context of the first two rows")


@edge
def test_the_context_of_one_position_is_that_position(submission):
    assert_close(submission.average_context(X[1:2]), np.array([4.0, 6.0]), what="the context of one position")


@edge
def test_one_feature_is_still_a_vector(submission):
    assert_close(submission.average_context(X[:, :1]), np.array([2.0]), what="the context of one feature")


@edge
def test_no_positions_are_an_error(submission):
    assert_rejects(submission.average_context, np.zeros((0, 2)))


@edge
def test_a_vector_and_a_batch_are_an_error(submission):
    assert_rejects(submission.average_context, X[0])
    assert_rejects(submission.average_context, np.stack([X, X]))


@edge
def test_float32_stays_float32(submission):
    as_array(submission.average_context(X.astype(np.float32)), dtype=np.float32, what="the context of float32")


@edge
def test_integers_and_float16_become_float64(submission):
    for dtype in (np.int8, np.int64, np.float16):
        got = submission.average_context((20 * X[:2] + 5).astype(dtype))
        assert_close(got, np.array([65.0, 65.0]), what=f"the context of {np.dtype(dtype)}")


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.average_context, X)
