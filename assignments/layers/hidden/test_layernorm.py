"""What decides the score of `LayerNorm`: rows normalised, where eps stands, then every edge by itself."""

import torch

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

D = 7


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def loaded(layer, state):
    layer.double()
    _, unknown = layer.load_state_dict(state, strict=False)
    assert not unknown, f"LayerNorm has no parameter {', '.join(unknown)}"
    return layer


def one(submission, rng):
    return loaded(submission.LayerNorm(D), {"weight": drawn(rng, D), "bias": drawn(rng, D)})


def both(submission, reference, rng, **more):
    """The submission's layer and the right one, with the same parameters."""
    state = {"weight": drawn(rng, D), "bias": drawn(rng, D)}
    return [loaded(made(D, **more), state) for made in (submission.LayerNorm, reference.LayerNorm)]


@core
def test_each_row_is_normalised_then_stretched_and_shifted_with_eps_in_the_variance(submission, reference, rng):
    layer, right = both(submission, reference, rng)
    x = 3 + 2 * drawn(rng, 2, 5, D)
    x[1, 2] = float(rng.integers(1, 9))
    assert_close(layer(x), right(x).detach(), what="the normalised rows, one of them constant")
    layer, right = both(submission, reference, rng, eps=1e-2)
    x = 1 + drawn(rng, 2, 5, D) / 10
    assert_close(layer(x), right(x).detach(), what="rows of small variance, with eps = 0.01")


@edge
def test_without_a_bias_there_is_none(submission, rng):
    state, x = {"weight": drawn(rng, D)}, drawn(rng, 2, 5, D)
    layer = loaded(submission.LayerNorm(D, bias=False), state)
    assert_keys(layer.state_dict(), "weight", what="the state of a LayerNorm without bias")
    with_zeros = loaded(submission.LayerNorm(D), state | {"bias": torch.zeros(D)})
    assert_close(
        layer(x), as_tensor(with_zeros(x), shape=(2, 5, D)), what="rows without a bias, against a bias of zeros"
    )


@edge
def test_it_begins_with_a_weight_of_ones_and_a_bias_of_zeros(submission, rng):
    d = int(rng.choice([5, 11, 13]))
    state = assert_keys(submission.LayerNorm(d).state_dict(), "weight", "bias", what="the state of a LayerNorm")
    assert_equal(state["weight"], torch.ones(d), what="the weight of a new LayerNorm")
    assert_equal(state["bias"], torch.zeros(d), what="the bias of a new LayerNorm")


@edge
def test_any_axes_may_stand_before_the_last(submission, rng):
    layer, x = one(submission, rng), 1 + drawn(rng, 2, 5, D)
    rows = as_tensor(layer(x), shape=(2, 5, D))
    for lead in ((), (10,), (2, 1, 5)):
        got = layer(x.reshape(-1, D)[:1].reshape(D) if lead == () else x.reshape(*lead, D))
        assert_close(got, rows[0, 0] if lead == () else rows.reshape(*lead, D), what=f"rows in a tensor [{lead}, {D}]")


@edge
def test_float32_stays_float32_and_the_argument_as_it_was(submission, rng):
    layer = submission.LayerNorm(D)
    layer.load_state_dict({"weight": drawn(rng, D).float(), "bias": drawn(rng, D).float()})
    got = assert_unchanged(layer.forward, drawn(rng, 2, 5, D).float())
    as_tensor(got, shape=(2, 5, D), dtype=torch.float32, what="rows of float32")


@edge
def test_gradients_reach_the_rows_and_the_parameters(submission, rng):
    """Against the submission's own values: differences by x, and by the parameters what is linear in them."""
    state = {"weight": drawn(rng, D), "bias": drawn(rng, D)}
    layer, x, g = loaded(submission.LayerNorm(D), state), 1 + 2 * drawn(rng, 2, 5, D), drawn(rng, 2, 5, D)
    y, [by_x] = layer.forward.vjp(x, wrt=[0], cotangents=[g])
    v, h = drawn(rng, 2, 5, D), 1e-5
    slope = (g * (layer(x + h * v) - layer(x - h * v))).sum() / (2 * h)
    assert_close((by_x * v).sum(), slope, rtol=1e-4, atol=1e-4, what="the gradient by x, along one direction")
    _, [by_weight, by_bias] = layer.forward.vjp(x, wrt=["weight", "bias"], cotangents=[g])
    for name, grad in (("weight", by_weight), ("bias", by_bias)):
        as_tensor(grad, shape=(D,), what=f"the gradient by {name}")
    linear = (by_weight * state["weight"]).sum() + (by_bias * state["bias"]).sum()
    assert_close(linear, (g * y).sum(), what="the gradients by weight and bias, along themselves")


@edge
def test_rows_of_another_width_are_refused(submission, rng):
    layer = one(submission, rng)
    for width in (1, 5):
        assert_rejects(layer.forward, drawn(rng, 2, 3, width), error=("ValueError", "RuntimeError"))
