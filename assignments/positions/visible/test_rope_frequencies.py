"""positions.rope_frequencies: widths for which the powers are round numbers."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("positions.rope_frequencies")


def frequencies(submission, *args):
    """Read the frequencies as float64; which dtype they must have is a test of its own."""
    what = f"the frequencies of a head {args[0]} wide"
    return as_array(submission.rope_frequencies(*args), shape=(args[0] // 2,), what=what).astype(np.float64)


@core
def test_a_head_of_width_8_has_four_frequencies(submission):
    expected = np.array([1.0, 0.1, 0.01, 0.001])
    assert_close(frequencies(submission, 8), expected, what="the frequencies for d_head = 8")


@core
def test_the_first_pair_turns_by_one_radian_whatever_the_width(submission):
    for d_head in (4, 10, 64):
        got = frequencies(submission, d_head)
        assert abs(got[0] - 1) < 1e-5, f"d_head = {d_head}: the first frequency is 1, yours is {got[0]:.6g}"


@core
def test_the_second_of_two_pairs_turns_a_hundred_times_slower(submission):
    assert_close(frequencies(submission, 4), np.array([1.0, 0.01]), what="the frequencies for d_head = 4")


@edge
def test_another_base(submission):
    got = frequencies(submission, 6, 1000.0)
    assert_close(got, np.array([1.0, 0.1, 0.01]), what="the frequencies for d_head = 6, base 1000")


@edge
def test_an_odd_width_is_an_error(submission):
    assert_rejects(submission.rope_frequencies, 5)


@edge
def test_a_width_without_pairs_is_an_error(submission):
    assert_rejects(submission.rope_frequencies, 0)


@edge
def test_a_base_that_is_not_positive_is_an_error(submission):
    assert_rejects(submission.rope_frequencies, 8, 0.0)


@edge
def test_the_frequencies_are_float64(submission):
    as_array(submission.rope_frequencies(12), dtype=np.float64, what="the frequencies")
