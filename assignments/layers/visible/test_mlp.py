"""layers.mlp: every row widened to four times its width, bent, and brought back."""

import torch
from torch.nn import functional as F

from grader.testing import (
    as_tensor,
    assert_close,
    assert_equal,
    assert_rejects,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("layers.mlp")


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_state(rng, d, *, bias=True):
    shapes = {"c_fc.weight": (4 * d, d), "c_proj.weight": (d, 4 * d)}
    shapes |= {"c_fc.bias": (4 * d,), "c_proj.bias": (d,)} if bias else {}
    return {name: drawn(rng, *shape) for name, shape in shapes.items()}


def loaded(submission, layer, state, *, double=True):
    if double:
        layer.double()
    told = submission.fill(layer, state)
    assert not told["unknown"], f"MLP has no parameter {', '.join(told['unknown'])}"
    assert not told["biases_left"], "there is a bias, and the configuration says bias=False"
    return layer


def made(submission, state, d, **more):
    """A layer in float64 with given parameters."""
    layer = submission.MLP(submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=1, d_model=d, **more))
    return loaded(submission, layer, state)


def expected(x, state):
    h = F.gelu(F.linear(x, state["c_fc.weight"], state.get("c_fc.bias")), approximate="tanh")
    return F.linear(h, state["c_proj.weight"], state.get("c_proj.bias"))


@core
def test_two_linear_layers_with_a_gelu_between(submission, rng):
    state, x = drawn_state(rng, 5), drawn(rng, 2, 3, 5)
    assert_close(made(submission, state, 5)(x), expected(x, state), what="the output of the MLP")


@core
def test_what_the_first_layer_makes_negative_is_nearly_nothing(submission):
    state = {
        "c_fc.weight": torch.tensor([[1.0], [2.0], [-1.0], [-2.0]]).double(),
        "c_fc.bias": torch.zeros(4).double(),
        "c_proj.weight": torch.ones(1, 4).double(),
        "c_proj.bias": torch.tensor([0.5]).double(),
    }
    x = torch.tensor([[20.0], [-20.0]]).double()
    assert_close(
        made(submission, state, 1)(x), torch.tensor([[60.5], [60.5]]).double(), what="the output for 20 and -20"
    )


@edge
def test_without_a_bias_there_is_none(submission, rng):
    state, x = drawn_state(rng, 5, bias=False), drawn(rng, 3, 5)
    layer = made(submission, state, 5, bias=False)
    assert_close(layer(x), expected(x, state), what="the output of an MLP without bias")
    submission.require_names(layer, list(state))


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission, rng):
    state = drawn_state(rng, 3)
    submission.require_names(made(submission, state, 3), list(state))


@edge
def test_a_row_alone_and_rows_in_four_axes(submission, rng):
    state = drawn_state(rng, 5)
    layer = made(submission, state, 5)
    for x in (drawn(rng, 5), drawn(rng, 2, 3, 7, 5)):
        assert_close(layer(x), expected(x, state), what=f"a tensor of shape {tuple(x.shape)}")


@edge
def test_in_training_the_output_is_dropped(submission, rng):
    layer = made(submission, drawn_state(rng, 3), 3, dropout=0.5)
    shows = submission.dropout_shows(layer, drawn(rng, 101, 3), 3)
    assert shows["new"], "a new layer is in training mode, and no entry of its output was dropped"
    assert shows["steady"], "in evaluation mode nothing should be dropped"
    assert_equal(shows["multiples"], [0.0, 2.0], what="what becomes of an entry of the output in training mode")


@edge
def test_float32_stays_float32(submission, rng):
    layer = submission.MLP(submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=1, d_model=3))
    loaded(submission, layer, {name: value.float() for name, value in drawn_state(rng, 3).items()}, double=False)
    as_tensor(layer(torch.ones(2, 3)), shape=(2, 3), dtype=torch.float32, what="rows of float32")


@edge
def test_gradients_reach_the_rows_and_the_parameters(submission, rng):
    state, x, g = drawn_state(rng, 3), drawn(rng, 5, 3), drawn(rng, 5, 3)
    _, got = made(submission, state, 3).forward.vjp(x, wrt=[0, "c_fc.weight"], cotangents=[g])
    inputs = [x.requires_grad_(), state["c_fc.weight"].requires_grad_()]
    for name, mine, theirs in zip(
        ("x", "c_fc.weight"), got, torch.autograd.grad(expected(x, state), inputs, g), strict=True
    ):
        assert_close(mine, theirs, what=f"the gradient by {name}")


@edge
def test_rows_of_another_width_are_an_error(submission, rng):
    layer = made(submission, drawn_state(rng, 3), 3)
    assert_rejects(layer.forward, torch.ones(2, 5).double(), error=("ValueError", "RuntimeError"))


@edge
def test_the_argument_is_left_alone(submission, rng):
    assert_unchanged(made(submission, drawn_state(rng, 3), 3).forward, torch.ones(2, 3).double())
