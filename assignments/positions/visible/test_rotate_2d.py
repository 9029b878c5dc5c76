"""positions.rotate_2d: turns that one can draw."""

import math

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.rotate_2d")

X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])


def turned(submission, x, angle):
    """Read the vectors as float64; which dtype they must have is a test of its own."""
    got = submission.rotate_2d(x, angle)
    return as_array(got, shape=x.shape, what=f"the turned vectors of shape {x.shape}").astype(np.float64)


@core
def test_a_quarter_turn_takes_east_to_north_and_north_to_west(submission):
    got = turned(submission, X, math.pi / 2)
    assert_close(got, np.array([[0.0, 1.0], [-2.0, 0.0], [-4.0, 3.0]]), what="vectors after a quarter turn")


@core
def test_a_turn_keeps_the_lengths(submission):
    got = turned(submission, X, 0.5)
    assert_close(np.hypot(got[:, 0], got[:, 1]), np.array([1.0, 2.0, 5.0]), what="the lengths after a turn")


@core
def test_a_turn_by_a_third_of_a_half_circle(submission):
    half, height = 0.5, math.sqrt(3) / 2
    expected = np.array([[half, height], [-2 * height, 1.0], [1.5 - 4 * height, 3 * height + 2]])
    assert_close(turned(submission, X, math.pi / 3), expected, what="vectors turned by 60 degrees")


@edge
def test_a_turn_back_undoes_a_turn(submission):
    back = turned(submission, turned(submission, X, 0.7), -0.7)
    assert_close(back, X, what="vectors turned by 0.7 and back")


@edge
def test_one_vector_alone(submission):
    got = turned(submission, np.array([3.0, 4.0]), math.pi)
    assert_close(got, np.array([-3.0, -4.0]), what="[3, 4] after half a turn")


@edge
def test_a_batch_of_vectors(submission):
    batch = np.arange(12.0).reshape(2, 3, 2)
    expected = np.stack([-batch[..., 1], batch[..., 0]], axis=-1)
    assert_close(turned(submission, batch, math.pi / 2), expected, what="a batch [2, 3, 2]")


@edge
def test_float32_stays_float32(submission):
    as_array(submission.rotate_2d(X.astype(np.float32), 0.3), dtype=np.float32, what="the turned float32 vectors")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for dtype in (np.int64, np.float16):
        got = as_array(submission.rotate_2d(X.astype(dtype), math.pi / 6), dtype=np.float64, what="the turned vectors")
        expected = np.array([math.sqrt(3) / 2, 0.5])
        assert_close(got[0], expected, what=f"[1, 0] of {np.dtype(dtype)}, turned by 30 degrees")


@edge
def test_vectors_of_another_length_are_an_error(submission):
    assert_rejects(submission.rotate_2d, np.ones((4, 3)), 0.3)


@edge
def test_the_vectors_are_left_alone(submission):
    assert_unchanged(submission.rotate_2d, X, 0.9)
