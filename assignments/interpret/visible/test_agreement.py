"""Ranks that can be counted by hand."""

import math

import torch

from grader.testing import assert_close, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("interpret.agreement")

ERRORS = ("ValueError", "RuntimeError")


def numbers(*entries):
    return torch.tensor(entries, dtype=torch.float64)


@core
def test_agreement_is_the_correlation_of_ranks(submission):
    """The ranks are 4, 1, 3, 2, 5 and 3, 2, 5, 1, 4: their differences are 1, -1, -2, 1, 1."""
    weights, effects = numbers(0.3, 0.05, 0.2, 0.1, 0.35), numbers(-1.0, -4.0, 100.0, -50.0, 2.0)
    assert_close(submission.agreement(weights, effects), 1 - 6 * 8 / 120, what="the agreement of 5 tokens")
    assert_close(submission.agreement(weights, -effects), 6 * 8 / 120 - 1, what="the agreement with the opposite")
    assert_close(submission.agreement(weights, weights**3), 1.0, what="the agreement of one order with itself")


@core
def test_equal_numbers_share_the_mean_of_their_ranks(submission):
    """The ranks are 1, 2.5, 2.5, 4 and 1, 2, 3, 4; then 1.5, 1.5, 3 and 3, 1.5, 1.5."""
    got = submission.agreement(numbers(0.1, 0.2, 0.2, 0.5), numbers(-1.0, 2.0, 3.0, 5.0))
    assert_close(got, math.sqrt(0.9), what="the agreement with a tie")
    got = submission.agreement(numbers(0.0, 0.0, 1.0), numbers(2.0, -1.0, -1.0))
    assert_close(got, -0.5, what="the agreement with ties on both sides")


@edge
def test_numbers_that_are_all_equal_have_no_order(submission):
    weights = numbers(0.3, 0.05, 0.65)
    for a, b in ((weights, weights * 0), (weights * 0 + 0.2, weights)):
        assert_rejects(submission.agreement, a, b, error=ERRORS)


@edge
def test_nan_is_refused(submission):
    assert_rejects(submission.agreement, numbers(0.3, 0.05, 0.65), numbers(1.0, math.nan, 2.0), error=ERRORS)


@edge
def test_unequal_lengths_and_other_axes_are_refused(submission):
    weights = numbers(0.3, 0.05, 0.65)
    for a, b in ((weights, weights[:2]), (weights[None], weights[None])):
        assert_rejects(submission.agreement, a, b, error=(*ERRORS, "IndexError"))


@edge
def test_a_small_difference_is_an_order_too(submission):
    near = numbers(2.0, 1.0, 1.0 + 1e-12)
    got = submission.agreement(near, numbers(3.0, 1.0, 2.0))
    assert_close(got, 1.0, what="the agreement of weights that are nearly equal")


@edge
def test_weights_and_effects_stay_as_they_were(submission):
    assert_unchanged(submission.agreement, numbers(0.3, 0.05, 0.65), numbers(1.0, 2.0, -3.0))
