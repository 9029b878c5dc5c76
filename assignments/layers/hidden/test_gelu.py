"""What decides the score of `gelu`: its curve, then every edge by itself."""

import torch

from grader.testing import as_tensor, assert_close, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.gelu")


def drawn(rng, *shape):
    return torch.from_numpy(rng.uniform(-4, 4, size=shape))


def assert_fits(function, x, g, rng):
    """Compare the gradient by x with differences of the submission's own values: whether those are right is a question of its own."""
    _, [grad] = function.vjp(x, wrt=[0], cotangents=[g])
    v, h = drawn(rng, *x.shape), 1e-5
    slope = (g * (function(x + h * v) - function(x - h * v))).sum() / (2 * h)
    along = (as_tensor(grad, shape=tuple(x.shape), what="the gradient by x") * v).sum()
    assert_close(along, slope, rtol=1e-4, atol=1e-4, what="the gradient by x, along one direction")


@core
def test_the_curve_is_that_of_gpt2(submission, reference, rng):
    for shape in ((97,), (), (2, 1, 3, 5)):
        x = drawn(rng, *shape)
        assert_close(submission.gelu(x), reference.gelu(x), what=f"gelu of numbers between -4 and 4, of shape {shape}")


@edge
def test_far_from_zero_it_is_the_identity_or_nothing(submission, rng):
    x = torch.from_numpy(rng.uniform(50, 5000, size=5))
    assert_close(submission.gelu(x), x, what="gelu of large numbers")
    assert_close(submission.gelu(-x), torch.zeros(5, dtype=torch.float64), what="gelu of very negative numbers")


@edge
def test_float32_stays_float32_and_the_argument_as_it_was(submission, rng):
    got = assert_unchanged(submission.gelu, drawn(rng, 5).float())
    as_tensor(got, shape=(5,), dtype=torch.float32, what="gelu of float32")


@edge
def test_it_is_differentiable(submission, rng):
    assert_fits(submission.gelu, drawn(rng, 11), drawn(rng, 11), rng)
