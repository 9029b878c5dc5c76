"""positions.relative: a query and a key in the plane, turned by one radian a position."""

import math

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.relative")

Q, K = np.array([1.0, 2.0, -1.0, 0.5]), np.array([0.5, 1.5, 2.0, 1.0])


def scores(submission, q, k, n, *base):
    """Read the scores as float64; which dtype they must have is a test of its own."""
    what = f"the scores of {n} positions"
    return as_array(submission.relative_scores(q, k, n, *base), shape=(n, n), what=what).astype(np.float64)


@core
def test_at_distance_0_the_score_is_the_plain_dot_product(submission):
    got = scores(submission, Q, K, 4)
    assert_close(got.diagonal(), np.full(4, Q @ K), what="the scores at distance 0")


@core
def test_every_diagonal_is_constant(submission):
    got = scores(submission, Q, K, 5)
    assert_close(got[1:, 1:], got[:-1, :-1], what="each score, one step down its diagonal,")


@core
def test_a_query_one_step_later_than_a_key_is_not_the_same_as_one_step_earlier(submission):
    # [1, 0] at position i stands at the angle i, and so [0, 1] at position j at j plus a quarter turn.
    got = scores(submission, np.array([1.0, 0.0]), np.array([0.0, 1.0]), 3)
    s1, s2 = math.sin(1), math.sin(2)
    expected = np.array([[0, -s1, -s2], [s1, 0, -s1], [s2, s1, 0]])
    assert_close(got, expected, what="the scores of q = [1, 0] and k = [0, 1]")


@core
def test_a_vector_meets_itself_at_the_cosine_of_the_distance(submission):
    got = scores(submission, np.array([3.0, 4.0]), np.array([3.0, 4.0]), 3)
    distances = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    assert_close(got, 25 * np.cos(distances), what="the scores of q = k = [3, 4]")


@core
def test_the_second_pair_turns_a_hundred_times_slower(submission):
    got = scores(submission, np.array([0, 0, 1.0, 0]), np.array([0, 0, 1.0, 0]), 3)
    assert_close(got[0], np.cos([0, 0.01, 0.02]), what="the scores of the second of two pairs with itself")


@edge
def test_another_base(submission):
    got = scores(submission, np.array([0, 0, 1.0, 0]), np.array([0, 0, 1.0, 0]), 2, 100.0)
    expected = np.array([[1.0, math.cos(0.1)], [math.cos(0.1), 1.0]])
    assert_close(got, expected, what="the scores of the second pair for base 100")


@edge
def test_no_positions_give_no_scores(submission):
    scores(submission, Q, K, 0)


@edge
def test_float32_stays_float32(submission):
    got = submission.relative_scores(Q.astype(np.float32), K.astype(np.float32), 3)
    as_array(got, dtype=np.float32, what="the scores of float32 vectors")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for dtype in (np.int64, np.float16):
        got = submission.relative_scores(np.array([1, 0], dtype=dtype), np.array([1, 0], dtype=dtype), 2)
        assert_close(got, np.array([[1, math.cos(1)], [math.cos(1), 1]]), what=f"the scores of {np.dtype(dtype)}")


@edge
def test_what_does_not_fit_is_an_error(submission):
    assert_rejects(submission.relative_scores, Q, K[:2], 3)
    assert_rejects(submission.relative_scores, Q[:3], K[:3], 3)
    assert_rejects(submission.relative_scores, Q, K, -1)


@edge
def test_query_and_key_are_left_alone(submission):
    assert_unchanged(submission.relative_scores, Q, K, 3)
