"""positions.rope_frequencies: how fast each pair turns."""

import numpy as np

from grader.testing import as_array, assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("positions.rope_frequencies")


def a_width(rng):
    return int(rng.choice([6, 10, 14]))


def frequencies(submission, *args):
    """Return the frequencies as float64: in which dtype they have to come is a question of its own."""
    what = f"the frequencies of a head {args[0]} wide"
    return as_array(submission.rope_frequencies(*args), shape=(args[0] // 2,), what=what).astype(np.float64)


@core
def test_frequencies_fall_from_1_by_one_factor_a_pair(submission, reference, rng):
    d = a_width(rng)
    got = frequencies(submission, d)
    assert abs(got[0] - 1) < 1e-5, f"the first pair turns by 1 radian a position, yours by {got[0]:.6g}"
    # Wide enough for float32: what is lost by computing in it is a question of its own.
    assert_close(got, reference.rope_frequencies(d), rtol=1e-5, what=f"the frequencies for d_head = {d}")


@edge
def test_the_base_is_the_one_that_is_given(submission, reference, rng):
    d = a_width(rng)
    for base in (float(rng.choice([30.0, 70.0, 5e5])), 3, 0.5):
        got = frequencies(submission, d, base)
        assert_close(got, reference.rope_frequencies(d, base), rtol=1e-5, what=f"the frequencies for base {base}")


@edge
def test_an_odd_width_is_refused(submission, rng):
    assert_rejects(submission.rope_frequencies, a_width(rng) + 1)
    assert_rejects(submission.rope_frequencies, 1)


@edge
def test_a_width_below_2_is_refused(submission, rng):
    assert_rejects(submission.rope_frequencies, -a_width(rng))
    assert_rejects(submission.rope_frequencies, 0)
    assert_close(frequencies(submission, 2), np.ones(1), rtol=1e-5, what="the one frequency of the narrowest head")


@edge
def test_a_base_that_is_not_positive_is_refused(submission, rng):
    assert_rejects(submission.rope_frequencies, a_width(rng), 0.0)
    assert_rejects(submission.rope_frequencies, a_width(rng), -10000.0)


@edge
def test_the_frequencies_are_float64(submission, rng):
    as_array(submission.rope_frequencies(a_width(rng)), dtype=np.float64, what="the frequencies")
