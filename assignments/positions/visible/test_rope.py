"""positions.rope: turns that one can follow by hand, pair by pair."""

import math

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("positions.rope")

C1, S1 = math.cos(1), math.sin(1)
C2, S2 = math.cos(2), math.sin(2)
X = np.array([[1.0, 0.0, 0.0, 2.0], [0.5, -1.0, 3.0, 1.0], [2.0, 1.0, 1.0, -1.0]])


def rotated(submission, x, positions, *base):
    """Read the rows as float64; which dtype they must have is a test of its own."""
    what = f"x of shape {x.shape}, turned by positions of shape {positions.shape}"
    return as_array(submission.apply_rope(x, positions, *base), shape=x.shape, what=what).astype(np.float64)


@core
def test_position_0_turns_nothing(submission):
    got = rotated(submission, X, np.array([0, 5, 6]))
    assert_close(got[0], X[0], what="the row at position 0")


@core
def test_column_0_turns_into_column_1(submission):
    got = rotated(submission, np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0]]), np.array([1, 2]))
    expected = np.array([[C1, S1, 0, 0], [C2, S2, 0, 0]])
    assert_close(got, expected, what="[1, 0, 0, 0] at positions 1 and 2")


@core
def test_the_second_pair_turns_a_hundred_times_slower(submission):
    got = rotated(submission, np.array([[0, 0, 1.0, 0], [0, 0, 0, 1.0]]), np.array([100, 200]))
    expected = np.array([[0, 0, C1, S1], [0, 0, -S2, C2]])
    assert_close(got, expected, what="[0, 0, 1, 0] at position 100 and [0, 0, 0, 1] at 200")


@core
def test_every_pair_keeps_its_length(submission):
    got = rotated(submission, X, np.array([3, 4, 9]))
    pairs = np.hypot(got[:, 0::2], got[:, 1::2])
    expected = np.hypot(X[:, 0::2], X[:, 1::2])
    assert_close(pairs, expected, what="the lengths of the pairs (0, 1) and (2, 3)")


@core
def test_the_row_of_the_handout(submission):
    # Base 100: the pairs [1, 2] and [3, 4] turn by 1 and by 1/10 at position 1, twice as far at position 2.
    x = np.tile([1.0, 2.0, 3.0, 4.0], (3, 1))
    expected = np.array(
        [
            [1.0, 2.0, 3.0, 4.0],
            [-1.1426396637, 1.9220755966, 2.5856788293, 4.2795169111],
            [-2.2347416902, 0.0770037537, 2.1455224101, 4.5162743034],
        ]
    )
    got = rotated(submission, x, np.arange(3), 100.0)
    assert_close(got, expected, what="[1, 2, 3, 4] at positions 0, 1, 2")


@edge
def test_every_sequence_of_a_batch_is_turned_alike(submission):
    batch, positions = np.stack([X, -X, X + 1]), np.array([2, 3, 5])
    got = rotated(submission, batch, positions)
    heads = rotated(submission, np.stack([batch, 2 * batch]), positions)
    assert_close(got[1], -got[0], what="the second sequence, which is minus the first")
    assert_close(heads[1], 2 * got, what="the second head, which is twice the first")


@edge
def test_each_sequence_may_have_positions_of_its_own(submission):
    batch = np.tile([1.0, 0.0], (2, 2, 1))
    got = rotated(submission, batch, np.array([[0, 1], [1, 2]]))
    expected = np.array([[[1, 0], [C1, S1]], [[C1, S1], [C2, S2]]])
    assert_close(got, expected, what="[1, 0] at positions 0 and 1 of one sequence, and 1 and 2 of another")


@edge
def test_positions_may_be_negative_or_fractional(submission):
    got = rotated(submission, np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 0.5]))
    expected = np.array([[C1, -S1], [math.cos(0.5), math.sin(0.5)]])
    assert_close(got, expected, what="[1, 0] at positions -1 and 0.5")


@edge
def test_float32_stays_float32(submission):
    got = submission.apply_rope(X.astype(np.float32), np.arange(3))
    as_array(got, dtype=np.float32, what="the turned float32 rows")


@edge
def test_every_other_dtype_becomes_float64(submission):
    for dtype in (np.int64, np.float16):
        got = submission.apply_rope(np.array([[1, 0]], dtype=dtype), np.array([1]))
        assert_close(got, np.array([[C1, S1]]), what=f"[1, 0] of {np.dtype(dtype)} at position 1")


@edge
def test_positions_that_do_not_fit_are_an_error(submission):
    assert_rejects(submission.apply_rope, X, np.arange(4))
    assert_rejects(submission.apply_rope, X, np.array([2]))


@edge
def test_an_odd_width_is_an_error(submission):
    assert_rejects(submission.apply_rope, X[:, :3], np.arange(3))


@edge
def test_the_rows_are_left_alone(submission):
    assert_unchanged(submission.apply_rope, X, np.array([4, 5, 6]))
