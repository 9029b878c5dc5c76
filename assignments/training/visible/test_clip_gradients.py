"""Two gradients, 3 and 4, whose norm together is 5."""

import math

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.clip_gradients")


def grads(*numbers, dtype=torch.float64):
    return [None if x is None else torch.tensor([x, 0.0], dtype=dtype) for x in numbers]


def made(submission, given, dtype=torch.float64):
    return submission.Weights([torch.ones(2, dtype=dtype) for _ in given], given)


def clipped(submission, given, max_norm):
    weights = made(submission, given)
    return submission.clip_gradients(weights, max_norm), weights.grads()


def assert_grads(got, expected, what):
    for mine, right in zip(got, expected, strict=True):
        if right is None:
            assert mine is None, "a parameter without a gradient has got one"
        else:
            # Some add 1e-6 to the norm that they divide by.
            assert_close(mine, right, rtol=1e-5, what=what)


@core
def test_all_gradients_together_get_the_norm_asked_for_and_keep_their_direction(submission):
    for max_norm in (1.0, 2.5):
        _, got = clipped(submission, grads(3.0, -4.0), max_norm)
        assert_grads(got, grads(0.6 * max_norm, -0.8 * max_norm), f"gradients of norm 5, clipped to {max_norm}")


@core
def test_gradients_of_a_smaller_norm_stay_as_they_are(submission):
    _, got = clipped(submission, grads(3.0, -4.0), 6.0)
    assert_grads(got, grads(3.0, -4.0), "gradients of norm 5, where 6 is allowed")


@core
def test_it_returns_the_norm_before(submission):
    for max_norm in (1.0, 6.0):
        norm, _ = clipped(submission, grads(3.0, -4.0), max_norm)
        assert_close(norm, 5.0, what="the norm before")


@edge
def test_a_norm_is_of_as_many_digits_as_the_gradients(submission):
    """The squares of these float64 gradients are beyond what float32 can hold."""
    one, other = torch.tensor([1.0, -2.0]).double(), torch.tensor([4.0, 2.0]).double()
    norm, got = clipped(submission, [1e30 * one, 1e30 * other], 0.5)
    assert_close(norm, 5e30, what="the norm before, of float64 gradients [1e30, -2e30] and [4e30, 2e30]")
    assert_grads(got, [0.1 * one, 0.1 * other], "float64 gradients [1e30, -2e30] and [4e30, 2e30], clipped to 0.5")


@edge
def test_parameters_without_a_gradient_are_passed_over(submission):
    norm, got = clipped(submission, grads(3.0, None, 4.0), 1.0)
    assert_close(norm, 5.0, what="the norm before, without the gradient that is None")
    assert_grads(got, grads(0.6, None, 0.8), "gradients, one of them None")


@edge
def test_no_gradient_at_all_has_norm_zero(submission):
    norm, got = clipped(submission, grads(None, None), 1.0)
    assert_close(norm, 0.0, what="the norm of no gradient")
    assert_grads(got, grads(None, None), "no gradient")


@edge
def test_gradients_of_zero_stay_zero(submission):
    for max_norm in (1.0, 0.0):
        _, got = clipped(submission, grads(0.0, 0.0), max_norm)
        assert_grads(got, grads(0.0, 0.0), f"gradients of zero, clipped to {max_norm}")


@edge
def test_the_parameters_may_come_as_something_that_can_be_gone_through_once(submission):
    weights = made(submission, grads(3.0, 4.0))
    submission.clip_gradients(submission.once(weights), 1.0)
    assert_grads(weights.grads(), grads(0.6, 0.8), "gradients of parameters that come from a generator")


@edge
def test_a_norm_that_is_not_finite_changes_nothing(submission):
    for bad in (math.inf, math.nan):
        _, got = clipped(submission, grads(bad, 4.0), 1.0)
        for mine, right in zip(got, grads(bad, 4.0), strict=True):
            assert_equal(mine, right, what=f"gradients beside one that is {bad}")


@edge
def test_without_a_limit_nothing_is_clipped(submission):
    _, got = clipped(submission, grads(3.0, 4.0), math.inf)
    assert_grads(got, grads(3.0, 4.0), "gradients without a limit")


@edge
def test_the_dtype_and_the_parameters_stay(submission):
    weights = made(submission, grads(3.0, 4.0, dtype=torch.float32), torch.float32)
    submission.clip_gradients(weights, 1.0)
    for value, grad in zip(weights.values(), weights.grads(), strict=True):
        assert_equal(value, torch.ones(2), what="a parameter after its gradient was clipped")
        assert grad.dtype == torch.float32, f"a float32 gradient has become {grad.dtype}"


@edge
def test_a_negative_norm_is_refused(submission):
    assert_rejects(submission.clip_gradients, made(submission, grads(3.0, 4.0)), -1.0)
