"""positions.sinusoidal: the handout's table, and what holds for any."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("positions.sinusoidal")

# Base 100 and width 4: the angles of position p are p and p / 10.
HANDOUT = np.array(
    [
        [0.0, 1.0, 0.0, 1.0],
        [0.8414709848, 0.5403023059, 0.0998334166, 0.9950041653],
        [0.9092974268, -0.4161468365, 0.1986693308, 0.9800665778],
    ]
)


def table(submission, *args):
    """Read the encoding as float64; which dtype it must have is a test of its own."""
    got = submission.sinusoidal_encoding(*args)
    return as_array(got, shape=args[:2], what=f"the encoding of {args[0]} positions, {args[1]} wide").astype(np.float64)


@core
def test_position_0_is_sines_of_0_and_cosines_of_0(submission):
    expected = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    assert_close(table(submission, 5, 6)[0], expected, what="the row of position 0")


@core
def test_a_column_and_its_neighbour_are_sine_and_cosine_of_one_angle(submission):
    PE = table(submission, 5, 6)
    circles = PE[:, 0::2] ** 2 + PE[:, 1::2] ** 2
    assert_close(circles, np.ones((5, 3)), what="sin^2 + cos^2 of columns (0, 1), (2, 3), (4, 5)")


@core
def test_the_first_pair_turns_by_one_radian_a_position(submission):
    expected = np.array([[0.0, 1.0], [0.8414709848, 0.5403023059], [0.9092974268, -0.4161468365]])
    assert_close(table(submission, 3, 8)[:, :2], expected, what="columns 0 and 1 of positions 0, 1, 2")


@core
def test_the_last_pair_hardly_moves(submission):
    # d_model = 8, so the last of the four pairs has frequency 10000^(-6/8) = 1/1000.
    got = table(submission, 6, 8)[5, 6:]
    assert_close(got, np.array([0.0049999792, 0.9999875]), what="columns 6 and 7 of position 5")


@edge
def test_the_table_of_the_handout(submission):
    assert_close(table(submission, 3, 4, 100.0), HANDOUT, what="the encoding for base 100")


@edge
def test_no_positions_give_no_rows(submission):
    table(submission, 0, 4)


@edge
def test_an_odd_width_is_an_error(submission):
    assert_rejects(submission.sinusoidal_encoding, 4, 5)


@edge
def test_a_number_of_positions_below_0_is_an_error(submission):
    assert_rejects(submission.sinusoidal_encoding, -3, 4)


@edge
def test_a_base_that_is_not_positive_is_an_error(submission):
    assert_rejects(submission.sinusoidal_encoding, 3, 4, -1.0)


@edge
def test_the_encoding_is_float64(submission):
    as_array(submission.sinusoidal_encoding(2, 4), dtype=np.float64, what="the encoding")
