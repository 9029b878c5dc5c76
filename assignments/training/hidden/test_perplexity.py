"""training.perplexity: exp of the mean, the mean over tokens."""

import math

from grader.testing import assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("training.perplexity")


@core
def test_it_is_exp_of_the_sum_over_the_number(submission, rng):
    for n in (1, 7, 110):
        mean = float(rng.uniform(0.5, 4))
        got = submission.perplexity(n * mean, n)
        assert_close(got, math.exp(mean), what=f"the perplexity of {n} tokens of {mean:.3f} nats each")
    V, n = int(rng.integers(5, 5000)), int(rng.integers(3, 50))
    assert_close(submission.perplexity(n * math.log(V), n), float(V), what=f"the perplexity of a guess among {V}")


@edge
def test_a_sum_that_is_an_integer_is_divided_as_a_real_number(submission, rng):
    n = int(rng.integers(3, 9))
    expected = submission.perplexity(2.0 * n + 1, n)
    assert_close(submission.perplexity(2 * n + 1, n), expected, what=f"{2 * n + 1} nats over {n} tokens")


@edge
def test_what_is_too_large_for_a_float_is_infinite(submission, rng):
    assert_close(
        submission.perplexity(1000.0 * int(rng.integers(1, 9)), 1), math.inf, what="the perplexity of 1000 nats"
    )


@edge
def test_no_tokens_are_refused(submission):
    for n in (0, -3):
        assert_rejects(submission.perplexity, 2.0, n)
