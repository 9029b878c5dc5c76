"""layers.gelu: the bent line of GPT-2."""

import torch
from torch.nn import functional as F

from grader.testing import as_tensor, assert_close, assert_unchanged, core, edge, exercise

pytestmark = exercise("layers.gelu")


def curve(x):
    return F.gelu(x, approximate="tanh")


@core
def test_a_few_values(submission):
    x = torch.tensor([-1.0, 0.0, 1.0, 3.0]).double()
    expected = torch.tensor([-0.158808, 0.0, 0.841192, 2.996363]).double()
    assert_close(submission.gelu(x), expected, rtol=0, atol=1e-6, what="gelu of -1, 0, 1 and 3")


@core
def test_it_is_the_form_with_tanh(submission):
    x = torch.linspace(-4, 4, 17).double()
    assert_close(submission.gelu(x), curve(x), what="gelu from -4 to 4")


@edge
def test_far_from_zero_it_is_the_identity_or_nothing(submission):
    x = torch.tensor([-1000.0, -40.0, 40.0, 1000.0]).double()
    assert_close(submission.gelu(x), x.clamp(min=0), what="gelu far from 0")


@edge
def test_every_shape_is_kept(submission, rng):
    for shape in ((), (2, 3, 1, 5)):
        x = torch.from_numpy(2 * rng.standard_normal(shape) if shape else rng.standard_normal((1,)).reshape(()))
        assert_close(submission.gelu(x), curve(x), what=f"gelu of a tensor of shape {shape}")


@edge
def test_float32_stays_float32(submission):
    as_tensor(submission.gelu(torch.ones(3)), shape=(3,), dtype=torch.float32, what="gelu of float32")


@edge
def test_it_is_differentiable(submission, rng):
    x, g = torch.from_numpy(2 * rng.standard_normal(7)), torch.from_numpy(rng.standard_normal(7))
    _, [got] = submission.gelu.vjp(x, wrt=[0], cotangents=[g])
    x.requires_grad_()
    assert_close(got, torch.autograd.grad(curve(x), [x], g)[0], what="the gradient of gelu")


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(submission.gelu, torch.tensor([-1.0, 2.0]))
