"""Perplexity: as many equally likely tokens would be as hard to guess."""

import math

from grader.testing import assert_close, assert_rejects, core, edge, exercise

pytestmark = exercise("training.perplexity")


@core
def test_the_worked_example(submission):
    nll_sum = math.log(4 / 3) + math.log(4)
    assert_close(submission.perplexity(nll_sum, 2), math.sqrt(16 / 3), what="the perplexity of ln 4/3 and ln 4")


@core
def test_a_guess_among_equals_has_their_number(submission):
    assert_close(submission.perplexity(13 * math.log(50257), 13), 50257.0, what="the perplexity of a guess among 50257")


@edge
def test_a_sum_that_is_an_integer_is_divided_as_a_real_number(submission):
    assert_close(submission.perplexity(3, 2), math.exp(1.5), what="the perplexity of 3 nats over 2 tokens")


@edge
def test_what_is_too_large_for_a_float_is_infinite(submission):
    assert_close(submission.perplexity(5000.0, 5), math.inf, what="the perplexity of 1000 nats a token")


@edge
def test_no_tokens_are_refused(submission):
    for n in (0, -1):
        assert_rejects(submission.perplexity, 0.0, n)
