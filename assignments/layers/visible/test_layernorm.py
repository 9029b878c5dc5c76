"""layers.layernorm: each row to mean 0 and variance 1, then stretched by the weight and shifted by the bias."""

import torch
from torch.nn import functional as F

from grader.testing import (
    as_tensor,
    assert_close,
    assert_equal,
    assert_keys,
    assert_rejects,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("layers.layernorm")

# Mean 2 and variance 1: with eps = 3 the root is 2.
ROW = torch.tensor([1.0, 1.0, 3.0, 3.0]).double()
WEIGHT = torch.tensor([1.0, 2.0, 3.0, 4.0]).double()
BIAS = torch.tensor([10.0, 0.0, 0.0, 10.0]).double()
D = 5


def made(submission, state, *args, **more):
    """A layer in float64 with given parameters."""
    layer = submission.LayerNorm(*args, **more)
    layer.double()
    _, unknown = layer.load_state_dict(state, strict=False)
    assert not unknown, f"LayerNorm has no parameter {', '.join(unknown)}"
    return layer


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_state(rng):
    return {"weight": drawn(rng, D), "bias": drawn(rng, D)}


@core
def test_the_worked_example(submission):
    layer = made(submission, {"weight": WEIGHT, "bias": BIAS}, 4, eps=3.0)
    assert_close(layer(ROW[None]), torch.tensor([[9.5, -1.0, 1.5, 12.0]]).double(), what="LayerNorm of [1, 1, 3, 3]")


@core
def test_rows_are_normalised_one_by_one(submission, rng):
    state, x = drawn_state(rng), 3 + 2 * drawn(rng, 2, 3, D)
    expected = F.layer_norm(x, (D,), state["weight"], state["bias"])
    assert_close(made(submission, state, D)(x), expected, what="normalised rows")


@core
def test_eps_matters_where_the_variance_is_small(submission, rng):
    state, x = drawn_state(rng), 1 + drawn(rng, 3, D) / 100
    expected = F.layer_norm(x, (D,), state["weight"], state["bias"], 1e-3)
    assert_close(made(submission, state, D, 1e-3)(x), expected, what="rows of small variance")


@edge
def test_a_constant_row_becomes_the_bias(submission, rng):
    state = drawn_state(rng)
    got = made(submission, state, D)(torch.full((1, D), 7.0, dtype=torch.float64))
    assert_close(got, state["bias"][None], what="LayerNorm of a constant row")


@edge
def test_without_a_bias_only_the_weight_is_left(submission, rng):
    state, x = {"weight": drawn(rng, D)}, drawn(rng, 3, D)
    layer = made(submission, state, D, bias=False)
    assert_close(layer(x), F.layer_norm(x, (D,), state["weight"]), what="rows without a bias")
    assert_keys(layer.state_dict(), "weight", what="the state of a LayerNorm without bias")


@edge
def test_a_new_one_does_nothing_but_normalise(submission):
    state = assert_keys(submission.LayerNorm(3).state_dict(), "weight", "bias", what="the state of a LayerNorm")
    assert_equal(state["weight"], torch.ones(3), what="the weight of a new LayerNorm")
    assert_equal(state["bias"], torch.zeros(3), what="the bias of a new LayerNorm")


@edge
def test_a_row_alone_and_rows_in_four_axes(submission, rng):
    state = drawn_state(rng)
    layer = made(submission, state, D)
    for x in (drawn(rng, D), drawn(rng, 2, 3, 7, D)):
        assert_close(layer(x), F.layer_norm(x, (D,), *state.values()), what=f"a tensor of shape {tuple(x.shape)}")


@edge
def test_float32_stays_float32(submission, rng):
    got = submission.LayerNorm(D)(drawn(rng, 3, D).float())
    as_tensor(got, shape=(3, D), dtype=torch.float32, what="rows of float32")


@edge
def test_gradients_reach_the_rows_and_the_parameters(submission, rng):
    state, x, g = drawn_state(rng), drawn(rng, 3, D), drawn(rng, 3, D)
    layer = made(submission, state, D)
    _, got = layer.forward.vjp(x, wrt=[0], cotangents=[g])
    got = [*got, *layer.forward.vjp(x, wrt=["weight", "bias"], cotangents=[g])[1]]
    inputs = [each.requires_grad_() for each in (x, *state.values())]
    expected = torch.autograd.grad(F.layer_norm(x, (D,), *inputs[1:]), inputs, g)
    for name, mine, theirs in zip(("x", "weight", "bias"), got, expected, strict=True):
        assert_close(mine, theirs, what=f"the gradient by {name}")


@edge
def test_rows_of_another_width_are_an_error(submission):
    layer = submission.LayerNorm(D)
    for width in (1, 3):
        assert_rejects(layer.forward, torch.ones(2, width), error=("ValueError", "RuntimeError"))


@edge
def test_the_argument_is_left_alone(submission, rng):
    assert_unchanged(submission.LayerNorm(D).forward, drawn(rng, 3, D).float())
