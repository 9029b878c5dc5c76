"""What decides the score of `CausalSelfAttention`: what a token gathers, from whom, then every edge by itself."""

import torch

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

pytestmark = exercise("layers.causalselfattention")

B, T, H, D = 2, 5, 3, 21
EITHER = ("ValueError", "RuntimeError")


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_state(rng, d=D, *, bias=True):
    """Weights that make scores of about 1, so that no weight is nearly 0 or nearly 1."""
    shapes = {"c_attn.weight": (3 * d, d), "c_proj.weight": (d, d)}
    shapes |= {"c_attn.bias": (3 * d,), "c_proj.bias": (d,)} if bias else {}
    return {name: drawn(rng, *shape) / d**0.5 for name, shape in shapes.items()}


def loaded(submission, layer, state, *, double=True):
    if double:
        layer.double()
    told = submission.fill(layer, state)
    assert not told["unknown"], f"CausalSelfAttention has no parameter {', '.join(told['unknown'])}"
    assert not told["biases_left"], "there is a bias, and the configuration says bias=False"
    return layer


def config(submission, n_head=H, d_model=D, **more):
    return submission.GPTConfig(vocab_size=29, block_size=11, n_layer=2, n_head=n_head, d_model=d_model, **more)


def one(submission, state, **more):
    return loaded(submission, submission.CausalSelfAttention(config(submission, **more)), state)


def assert_fits(function, x, g, rng):
    """Compare the gradient by x with differences of the submission's own values: whether those are right is a question of its own."""
    _, [grad] = function.vjp(x, wrt=[0], cotangents=[g])
    v, h = drawn(rng, *x.shape), 1e-5
    slope = (g * (function(x + h * v) - function(x - h * v))).sum() / (2 * h)
    along = (as_tensor(grad, shape=tuple(x.shape), what="the gradient by x") * v).sum()
    assert_close(along, slope, rtol=1e-4, atol=1e-4, what="the gradient by x, along one direction")


@core
def test_each_token_gathers_what_it_attends_to(submission, reference, rng):
    state, x = drawn_state(rng), drawn(rng, B, T, D)
    for n_head in (H, 1):
        layer, right = (one(each, state, n_head=n_head) for each in (submission, reference))
        assert_close(layer(x), right(x).detach(), what=f"{n_head} heads in a width of {D}")


@edge
def test_a_batch_of_one_and_a_single_token_keep_their_axes(submission, rng):
    layer, x = one(submission, drawn_state(rng)), drawn(rng, B, T, D)
    rows = as_tensor(layer(x), shape=(B, T, D))
    assert_close(layer(x[:1]), rows[:1], what=f"x of shape {(1, T, D)}")
    assert_close(layer(x[:, :1]), rows[:, :1], what=f"x of shape {(B, 1, D)}")


@edge
def test_without_a_bias_there_is_none(submission, rng):
    state, x = drawn_state(rng, bias=False), drawn(rng, B, T, D)
    zeros = {"c_attn.bias": torch.zeros(3 * D), "c_proj.bias": torch.zeros(D)}
    with_zeros = as_tensor(one(submission, state | zeros)(x), shape=(B, T, D))
    assert_close(one(submission, state, bias=False)(x), with_zeros, what="attention without a bias, against zeros")


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission, rng):
    state = drawn_state(rng)
    submission.require_names(one(submission, state), list(state))


@edge
def test_with_a_cache_parts_give_what_the_whole_gives(submission, rng):
    layer = one(submission, drawn_state(rng))
    x = drawn(rng, B, T, D)
    whole = as_tensor(layer(x), shape=(B, T, D), dtype=torch.float64)
    for parts in ((2, 3), (3, 1, 1)):
        cache = submission.LayerCache()
        for end, part in zip(torch.tensor(parts).cumsum(0).tolist(), x.split(parts, dim=1), strict=True):
            got = layer(part, cache)
            assert_close(got, whole[:, end - part.shape[1] : end], what=f"the rows up to {end}, in parts of {parts}")
            assert cache["length"] == end, f"the cache should hold {end} positions, and holds {cache['length']}"


@edge
def test_in_training_weights_and_output_are_dropped(submission, rng):
    state = drawn_state(rng) | {"c_proj.weight": torch.eye(D).double(), "c_proj.bias": torch.zeros(D).double()}
    layer = loaded(submission, submission.CausalSelfAttention(config(submission, dropout=0.05)), state)
    alone = submission.dropout_shows(layer, drawn(rng, 101, 1, D), D // H)
    two = submission.dropout_shows(layer, drawn(rng, 101, 2, D), D // H)
    assert alone["new"], "a new layer is in training mode, and no entry of its output was dropped"
    assert alone["steady"], "in evaluation mode nothing should be dropped"
    # A token alone has one weight, 1; a head that loses it gives nothing, one that keeps it 1 / 0.95 of its value.
    assert_equal(alone["multiples"], [0.0, round(1 / 0.9025, 6)], what="what becomes of the numbers of a single token")
    assert alone["together"], "where a weight is dropped, the whole head of that token should be nothing"
    assert not two["multiples"], "with two tokens one weight may be dropped and the other kept"


@edge
def test_float32_stays_float32_and_the_argument_as_it_was(submission, rng):
    layer = submission.CausalSelfAttention(config(submission))
    loaded(submission, layer, {name: value.float() for name, value in drawn_state(rng).items()}, double=False)
    got = assert_unchanged(layer.forward, drawn(rng, B, T, D).float())
    as_tensor(got, shape=(B, T, D), dtype=torch.float32)


@edge
def test_gradients_reach_the_rows(submission, rng):
    assert_fits(one(submission, drawn_state(rng)).forward, drawn(rng, B, T, D), drawn(rng, B, T, D), rng)


@edge
def test_a_width_that_does_not_divide_into_the_heads_is_refused(submission):
    assert_rejects(submission.CausalSelfAttention, config(submission, 3, 22), error=EITHER)
