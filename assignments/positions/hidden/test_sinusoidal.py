"""positions.sinusoidal: pairs of columns, each a sine and the cosine of the same angle."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("positions.sinusoidal")


def sizes(rng):
    """Draw a prime number of positions, and a width of another prime number of pairs."""
    return int(rng.choice([11, 13, 17])), int(rng.choice([6, 10, 14]))


def table(submission, *args):
    """Return the encoding as float64: in which dtype it has to come is a question of its own."""
    got = submission.sinusoidal_encoding(*args)
    return as_array(got, shape=args[:2], what=f"the encoding of {args[0]} positions, {args[1]} wide").astype(np.float64)


@core
def test_each_pair_of_columns_turns_at_its_own_frequency(submission, reference, rng):
    T, d = sizes(rng)
    PE = table(submission, T, d)
    assert_close(PE[0], np.tile([0.0, 1.0], d // 2), rtol=1e-5, atol=1e-5, what="the row of position 0")
    circles = PE[:, 0::2] ** 2 + PE[:, 1::2] ** 2
    # Wide enough for float32: what is lost by computing in it is a question of its own.
    assert_close(circles, np.ones((T, d // 2)), rtol=1e-5, atol=1e-5, what="sin^2 + cos^2 of each pair of columns")
    assert_close(PE, reference.sinusoidal_encoding(T, d), rtol=1e-5, atol=1e-5, what="the encoding")
    # A base that is nearly the usual one shows far from the start only, and best in the second pair of many columns.
    expected = reference.sinusoidal_encoding(100, 18)
    assert_close(table(submission, 100, 18), expected, rtol=0, atol=1e-4, what="the encoding of 100 positions, 18 wide")


@edge
def test_the_base_is_the_one_that_is_given(submission, reference, rng):
    T, d = sizes(rng)
    for base in (float(rng.choice([30.0, 70.0, 500.0])), 3, 0.5):
        expected = reference.sinusoidal_encoding(T, d, base)
        assert_close(
            table(submission, T, d, base), expected, rtol=1e-5, atol=1e-5, what=f"the encoding for base {base}"
        )


@edge
def test_there_may_be_no_positions_or_one(submission, rng):
    _, d = sizes(rng)
    table(submission, 0, d)
    assert_close(table(submission, 1, d), np.tile([0.0, 1.0], (1, d // 2)), what="the encoding of a single position")


@edge
def test_an_odd_width_is_refused(submission, rng):
    T, d = sizes(rng)
    assert_rejects(submission.sinusoidal_encoding, T, d + 1)
    assert_rejects(submission.sinusoidal_encoding, T, 1)


@edge
def test_the_narrowest_encoding_has_two_columns(submission, reference, rng):
    T, _ = sizes(rng)
    expected = reference.sinusoidal_encoding(T, 2)
    assert_close(table(submission, T, 2), expected, rtol=1e-5, atol=1e-5, what="the encoding for d_model = 2")
    assert_rejects(submission.sinusoidal_encoding, T, 0)


@edge
def test_a_number_of_positions_below_0_is_refused(submission, rng):
    T, d = sizes(rng)
    assert_rejects(submission.sinusoidal_encoding, -T, d)


@edge
def test_a_base_that_is_not_positive_is_refused(submission, rng):
    T, d = sizes(rng)
    assert_rejects(submission.sinusoidal_encoding, T, d, 0.0)
    assert_rejects(submission.sinusoidal_encoding, T, d, -10000.0)


@edge
def test_the_encoding_is_float64(submission, rng):
    as_array(submission.sinusoidal_encoding(*sizes(rng)), dtype=np.float64, what="the encoding")
