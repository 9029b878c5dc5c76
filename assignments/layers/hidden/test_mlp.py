"""What decides the score of `MLP`: two linear layers and what stands between, then every edge by itself."""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_equal,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("layers.mlp")

D = 7


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_state(rng, *, bias=True):
    shapes = {"c_fc.weight": (4 * D, D), "c_proj.weight": (D, 4 * D)}
    shapes |= {"c_fc.bias": (4 * D,), "c_proj.bias": (D,)} if bias else {}
    return {name: drawn(rng, *shape) for name, shape in shapes.items()}


def loaded(submission, layer, state, *, double=True):
    if double:
        layer.double()
    told = submission.fill(layer, state)
    assert not told["unknown"], f"MLP has no parameter {', '.join(told['unknown'])}"
    assert not told["biases_left"], "there is a bias, and the configuration says bias=False"
    return layer


def made(submission, state, **more):
    layer = submission.MLP(submission.GPTConfig(vocab_size=29, block_size=11, n_layer=2, n_head=1, d_model=D, **more))
    return loaded(submission, layer, state)


def both(submission, reference, rng):
    """The submission's layer and the right one, with the same parameters."""
    state = drawn_state(rng)
    return [made(each, state) for each in (submission, reference)]


def assert_fits(function, x, g, rng):
    """Compare the gradient by x with differences of the submission's own values: whether those are right is a question of its own."""
    _, [grad] = function.vjp(x, wrt=[0], cotangents=[g])
    v, h = drawn(rng, *x.shape), 1e-5
    slope = (g * (function(x + h * v) - function(x - h * v))).sum() / (2 * h)
    along = (as_tensor(grad, shape=tuple(x.shape), what="the gradient by x") * v).sum()
    assert_close(along, slope, rtol=1e-4, atol=1e-4, what="the gradient by x, along one direction")


@core
def test_a_row_is_widened_bent_and_brought_back(submission, reference, rng):
    layer, right = both(submission, reference, rng)
    x = drawn(rng, 2, 5, D)
    assert_close(layer(x), right(x).detach(), what="the output of the MLP")


@edge
def test_its_parameters_are_those_of_gpt2_and_without_a_bias_there_is_none(submission, rng):
    state, x = drawn_state(rng, bias=False), drawn(rng, 2, 5, D)
    layer = made(submission, state, bias=False)
    submission.require_names(layer, list(state))
    zeros = {"c_fc.bias": torch.zeros(4 * D), "c_proj.bias": torch.zeros(D)}
    with_zeros = as_tensor(made(submission, state | zeros)(x), shape=(2, 5, D))
    assert_close(layer(x), with_zeros, what="the output of an MLP without bias, against biases of zeros")


@edge
def test_any_axes_may_stand_before_the_last(submission, rng):
    layer, x = made(submission, drawn_state(rng)), drawn(rng, 2, 5, D)
    rows = as_tensor(layer(x), shape=(2, 5, D))
    assert_close(layer(x[0, 0]), rows[0, 0], what="a single row")
    assert_close(layer(x[:, None]), rows[:, None], what=f"rows in a tensor [2, 1, 5, {D}]")


@edge
def test_in_training_the_output_is_dropped(submission, rng):
    layer = made(submission, drawn_state(rng), dropout=0.25)
    shows = submission.dropout_shows(layer, drawn(rng, 1, 101, D), 1)
    assert shows["new"], "a new layer is in training mode, and no entry of its output was dropped"
    assert shows["steady"], "in evaluation mode nothing should be dropped"
    assert_equal(
        shows["multiples"], [0.0, round(1 / 0.75, 6)], what="what becomes of an entry of the output in training mode"
    )


@edge
def test_float32_stays_float32_and_the_argument_as_it_was(submission, rng):
    layer = submission.MLP(submission.GPTConfig(vocab_size=29, block_size=11, n_layer=2, n_head=1, d_model=D))
    loaded(submission, layer, {name: value.float() for name, value in drawn_state(rng).items()}, double=False)
    got = assert_unchanged(layer.forward, drawn(rng, 2, 5, D).float())
    as_tensor(got, shape=(2, 5, D), dtype=torch.float32, what="rows of float32")


@edge
def test_gradients_reach_the_rows(submission, rng):
    layer = made(submission, {name: value / 3 for name, value in drawn_state(rng).items()})
    assert_fits(layer.forward, drawn(rng, 2, 5, D), drawn(rng, 2, 5, D), rng)
