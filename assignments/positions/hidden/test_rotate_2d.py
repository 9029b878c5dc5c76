"""positions.rotate_2d: counter-clockwise, any number of vectors.

Edge tests compare the answer with the answer's own value in the ordinary case, so that one mistake costs once.
"""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.rotate_2d")


def an_angle(rng):
    """Draw an angle well away from multiples of a quarter turn, of either sign."""
    return float(rng.choice([-1.0, 1.0]) * (rng.uniform(0.3, 1.2) + rng.integers(3) * np.pi / 2))


def turned(submission, x, angle):
    """Return the vectors as float64: in which dtype they have to come is a question of its own."""
    got = submission.rotate_2d(x, angle)
    return as_array(got, shape=x.shape, what=f"the turned vectors of shape {x.shape}").astype(np.float64)


@core
def test_vectors_turn_counter_clockwise_and_keep_their_length(submission, reference, rng):
    x = rng.normal(size=(5, 2))
    axes = turned(submission, np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 0.0]]), np.pi / 2)
    assert_close(axes[0], np.array([0.0, 1.0]), rtol=1e-5, atol=1e-5, what="[1, 0] after a quarter turn")
    for angle in (an_angle(rng), an_angle(rng)):
        got = turned(submission, x, angle)
        before, after = np.hypot(x[:, 0], x[:, 1]), np.hypot(got[:, 0], got[:, 1])
        # Wide enough for float32: what is lost by computing in it is a question of its own.
        assert_close(after, before, rtol=1e-5, atol=1e-5, what="the lengths of the turned vectors")
        assert_close(got, reference.rotate_2d(x, angle), rtol=1e-5, atol=1e-5, what="the turned vectors")


@edge
def test_one_vector_or_a_batch_of_batches(submission, rng):
    for lead in ((), (5, 3), (2, 5, 3)):
        x, angle = rng.normal(size=(*lead, 2)), an_angle(rng)
        listed = turned(submission, x.reshape(-1, 2), angle).reshape(x.shape)
        got = turned(submission, x, angle)
        assert_close(got, listed, rtol=1e-5, atol=1e-5, what=f"vectors {list(x.shape)} against the same in a list")


@edge
def test_float32_stays_float32(submission, rng):
    x, angle = rng.integers(-9, 10, size=(5, 2)).astype(np.float32), an_angle(rng)
    as_array(submission.rotate_2d(x, angle), dtype=np.float32, what="the turned float32 vectors")


@edge
def test_every_other_dtype_becomes_float64(submission, rng):
    whole, angle = rng.integers(1, 10, size=(5, 2)), an_angle(rng)
    got = submission.rotate_2d(whole.astype(np.float64), angle)
    wide = as_array(got, dtype=np.float64, what="the turned float64 vectors")
    for dtype in (np.int64, np.float16):
        assert_close(submission.rotate_2d(whole.astype(dtype), angle), wide, what=f"turned {np.dtype(dtype)} vectors")


@edge
def test_vectors_of_another_length_are_refused(submission, rng):
    assert_rejects(submission.rotate_2d, rng.normal(size=(5, 3)), an_angle(rng))
    assert_rejects(submission.rotate_2d, rng.normal(size=(2, 5)), an_angle(rng))


@edge
def test_the_vectors_stay_as_they_were(submission, rng):
    assert_unchanged(submission.rotate_2d, rng.normal(size=(5, 2)), an_angle(rng))
