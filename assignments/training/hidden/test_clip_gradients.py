"""training.clip_gradients: one norm of all gradients, one factor for all, and only ever a smaller one."""

import math

import torch

from grader.testing import assert_close, assert_equal, assert_rejects, core, edge, exercise

pytestmark = exercise("training.clip_gradients")

SHAPES = ((3, 2), (5,), (2, 2, 2))


def drawn(rng, dtype=torch.float64):
    """Gradients of sizes that are far apart."""
    return [
        torch.from_numpy(s * rng.standard_normal(shape)).to(dtype) for s, shape in zip((3, 0.5, 1), SHAPES, strict=True)
    ]


def norm_of(grads):
    return math.sqrt(sum(float((g.double() ** 2).sum()) for g in grads if g is not None))


def made(submission, grads):
    return submission.Weights([torch.ones(shape, dtype=torch.float64) for shape in SHAPES], grads)


def clipped(submission, grads, max_norm):
    """What is returned, and what the gradients are afterwards."""
    weights = made(submission, grads)
    norm = submission.clip_gradients(weights, max_norm)
    return norm, weights.grads()


def assert_grads(got, expected, what):
    for mine, right in zip(got, expected, strict=True):
        if right is None:
            assert mine is None, "a parameter without a gradient has got one"
        else:
            # Some add 1e-6 to the norm that they divide by.
            assert_close(mine, right, rtol=1e-5, what=what)


@core
def test_all_gradients_together_get_the_norm_asked_for_and_keep_their_direction(submission, rng):
    grads, share = drawn(rng), float(rng.uniform(0.2, 0.7))
    _, got = clipped(submission, grads, share * norm_of(grads))
    assert_grads(got, [share * g for g in grads], f"gradients clipped to {share:.3f} of their norm")


@core
def test_gradients_of_a_smaller_norm_stay_as_they_are(submission, rng):
    grads = drawn(rng)
    _, got = clipped(submission, grads, 1.5 * norm_of(grads))
    assert_grads(got, grads, "gradients whose norm is small enough")


@core
def test_it_returns_the_norm_before(submission, rng):
    grads = drawn(rng)
    for share in (0.5, 1.5):
        norm, _ = clipped(submission, grads, share * norm_of(grads))
        assert_close(norm, norm_of(grads), what="the norm before")


@edge
def test_a_norm_is_of_as_many_digits_as_the_gradients(submission, rng):
    """The squares of these float64 gradients are beyond what float32 can hold."""
    grads, huge = drawn(rng), 10.0 ** int(rng.integers(22, 28))
    norm, got = clipped(submission, [huge * g for g in grads], norm_of(grads))
    assert_close(norm, huge * norm_of(grads), what="the norm before, of huge gradients")
    assert_grads(got, grads, "huge gradients, clipped")


@edge
def test_parameters_without_a_gradient_are_passed_over(submission, rng):
    grads = drawn(rng)
    most = 0.5 * norm_of(grads)
    norm, right = clipped(submission, grads, most)
    weights = submission.Weights([torch.ones(shape, dtype=torch.float64) for shape in ((2,), *SHAPES)], [None, *grads])
    assert_close(
        submission.clip_gradients(weights, most), norm, what="the norm before, without the gradient that is None"
    )
    assert_grads(weights.grads(), [None, *right], "gradients beside one that is None")


@edge
def test_no_gradient_at_all_has_norm_zero(submission):
    norm, _ = clipped(submission, [None] * len(SHAPES), 1.0)
    assert_close(norm, 0.0, what="the norm of no gradient")


@edge
def test_gradients_of_zero_stay_zero(submission):
    grads = [torch.zeros(shape, dtype=torch.float64) for shape in SHAPES]
    for max_norm in (1.0, 0.0):
        _, got = clipped(submission, grads, max_norm)
        assert_grads(got, grads, f"gradients of zero, clipped to {max_norm}")


@edge
def test_the_parameters_may_come_as_something_that_can_be_gone_through_once(submission, rng):
    grads = drawn(rng)
    most = 0.5 * norm_of(grads)
    _, right = clipped(submission, grads, most)
    weights = made(submission, grads)
    submission.clip_gradients(submission.once(weights), most)
    assert_grads(weights.grads(), right, "gradients of parameters that come from a generator")


@edge
def test_a_norm_that_is_not_finite_changes_nothing(submission, rng):
    for bad in (math.inf, math.nan):
        grads = drawn(rng)
        grads[0][0, 0] = bad
        _, got = clipped(submission, grads, 1.0)
        for mine, right in zip(got, grads, strict=True):
            assert_equal(mine, right, what=f"gradients beside one that is {bad}")


@edge
def test_without_a_limit_nothing_is_clipped(submission, rng):
    grads = drawn(rng)
    _, got = clipped(submission, grads, math.inf)
    assert_grads(got, grads, "gradients without a limit")


@edge
def test_the_dtype_and_the_parameters_stay(submission, rng):
    grads = drawn(rng, torch.float32)
    weights = submission.Weights([torch.ones(shape) for shape in SHAPES], grads)
    submission.clip_gradients(weights, 0.5)
    for value, grad, shape in zip(weights.values(), weights.grads(), SHAPES, strict=True):
        assert_equal(value, torch.ones(shape), what="a parameter after its gradient was clipped")
        assert grad.dtype == torch.float32, f"a float32 gradient has become {grad.dtype}"


@edge
def test_a_negative_norm_is_refused(submission, rng):
    assert_rejects(submission.clip_gradients, made(submission, drawn(rng)), -1.0)
