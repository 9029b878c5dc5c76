"""What decides the score of `softmax`: the idea on ordinary matrices, then every edge by itself.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import (
    as_array,
    assert_close,
    assert_finite,
    assert_rejects,
    assert_row_stochastic,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("attention.softmax")


@core
def test_each_row_of_a_matrix_becomes_a_distribution(submission, reference, rng):
    for T in (7, 5):  # a square first: there what has lost its axis gives numbers
        x = 2 * rng.standard_normal((T, 7))
        got = as_array(submission.softmax(x), shape=x.shape, what="softmax(x)")
        assert_row_stochastic(got, what="softmax(x)")
        assert_close(got, reference.softmax(x), what="softmax(x)")


@core
def test_axis_0_makes_each_column_a_distribution(submission, reference, rng):
    x = 2 * rng.standard_normal((5, 7))
    got = as_array(submission.softmax(x, axis=0), shape=x.shape, what="softmax(x, axis=0)")
    assert_row_stochastic(got.T, what="softmax(x, axis=0), transposed")
    assert_close(got, reference.softmax(x, axis=0), what="softmax(x, axis=0)")
    assert_close(submission.softmax(x, axis=1), reference.softmax(x, axis=1), what="softmax(x, axis=1)")


@edge
def test_any_axis_of_any_array_will_do(submission, rng):
    x = rng.standard_normal((2, 3, 5, 7))
    vector = as_array(submission.softmax(x[1, 2, :, 4]), shape=(5,), what="softmax of a vector")
    for axis in (2, -2):
        got = as_array(submission.softmax(x, axis=axis), shape=x.shape, what=f"softmax(x, axis={axis})")
        assert_close(got[1, 2, :, 4], vector, what=f"a slice of softmax(x, axis={axis})")
    block = as_array(submission.softmax(x[1], axis=1), shape=(3, 5, 7), what="softmax of three axes along axis 1")
    assert_close(block[2, :, 4], vector, what="a slice of softmax of three axes along axis 1")


@edge
def test_the_largest_numbers_do_not_overflow(submission, rng):
    x = rng.standard_normal((1, 7))
    for shift in (1e3, -1e3):
        what = f"softmax(x + {shift:g})"
        shifted = as_array(submission.softmax(x + shift, axis=-1), shape=(1, 7), what=what)
        assert_finite(shifted, what=what)
        assert_close(shifted, submission.softmax(x, axis=-1), what=f"{what} against softmax(x)")
    for dtype in (np.float64, np.float32):
        top = np.finfo(dtype).max
        for numbers, weights in (
            ((top, 0, -top), (1.0, 0.0, 0.0)),
            ((-top, -top, -top / 2), (0.0, 0.0, 1.0)),
            ((top, top), (0.5, 0.5)),
        ):
            got = submission.softmax(np.array([numbers], dtype=dtype), axis=-1)
            got = as_array(got, shape=(1, len(weights)), what="softmax of the largest numbers")
            assert_close(got.astype(np.float64), np.array([weights]), what="softmax of the largest numbers")


@edge
def test_rows_far_below_another_row_keep_their_shares(submission, rng):
    x = rng.standard_normal((3, 7))
    far = x + np.array([[400.0], [-400.0], [0.0]])
    got = as_array(submission.softmax(far, axis=-1), shape=x.shape, what="softmax of rows of unlike size")
    assert_finite(got, what="softmax of rows of unlike size")
    assert_close(got, submission.softmax(x, axis=-1), what="softmax of rows of unlike size")


@edge
def test_a_row_of_minus_infinity_has_weights_0(submission, rng):
    x = rng.standard_normal((3, 7))
    x[0, 2:4] = -np.inf
    x[1] = -np.inf
    got = as_array(submission.softmax(x, axis=-1), shape=x.shape, what="softmax with a row of -inf")
    assert_close(got[1], np.zeros(7), what="the weights of the row of -inf")
    for row in ([0], [2]):
        assert_close(got[row], submission.softmax(x[row], axis=-1), what="the other rows")


@edge
def test_float32_stays_float32(submission, rng):
    x = rng.standard_normal((5, 7)).astype(np.float32)
    got = as_array(submission.softmax(x, axis=-1), shape=x.shape, what="softmax of float32")
    wide = as_array(submission.softmax(x.astype(np.float64), axis=-1), shape=x.shape)
    assert_close(got.astype(np.float32), wide.astype(np.float32), what="softmax of float32")
    as_array(got, dtype=np.float32, what="softmax of float32")


@edge
def test_every_other_real_dtype_computes_in_float64(submission, rng):
    for dtype in (np.uint8, np.int64, np.float16):
        x = rng.integers(0, 6, size=(5, 7)).astype(dtype)
        got = as_array(submission.softmax(x, axis=-1), shape=x.shape, what=f"softmax of {x.dtype}")
        wide = as_array(submission.softmax(x.astype(np.float64), axis=-1), shape=x.shape)
        assert_close(got.astype(np.float64), wide, rtol=1e-2, atol=1e-2, what=f"softmax of {x.dtype}")
        as_array(got, dtype=np.float64, what=f"softmax of {x.dtype}")
        assert_close(got, wide, what=f"softmax of {x.dtype}")


@edge
def test_the_argument_is_left_as_it_was(submission, rng):
    assert_unchanged(submission.softmax, rng.standard_normal((5, 7)), axis=-1)


@edge
def test_an_axis_that_is_not_there_is_refused(submission, rng):
    x = rng.standard_normal((5, 7))
    assert_rejects(submission.softmax, x, axis=2)
    assert_rejects(submission.softmax, x, axis=-3)
