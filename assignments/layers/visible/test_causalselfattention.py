"""layers.causalselfattention: each token gathers from itself and those before it, in several heads."""

import math

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

pytestmark = exercise("layers.causalselfattention")

EITHER = ("ValueError", "RuntimeError")


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_state(rng, d, *, bias=True):
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


def made(submission, state, n_head, d_model, **more):
    """A layer in float64 with given parameters."""
    config = submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=n_head, d_model=d_model, **more)
    layer = submission.CausalSelfAttention(config)
    return loaded(submission, layer, state)


def projected(x, state, name):
    return F.linear(x, state[f"{name}.weight"], state.get(f"{name}.bias"))


def expected(x, state, n_head):
    """What torch's own attention gives, head by head."""
    outputs = []
    for q, k, v in zip(
        *(part.chunk(n_head, dim=-1) for part in projected(x, state, "c_attn").chunk(3, dim=-1)), strict=True
    ):
        outputs.append(F.scaled_dot_product_attention(q, k, v, is_causal=True))
    return projected(torch.cat(outputs, dim=-1), state, "c_proj")


# Two heads of width 1; q, k and v are x itself. Of the second token, head 0 has scores 0 and ln 3, head 1 twice 0.
PLAIN = {
    "c_attn.weight": torch.eye(2).double().repeat(3, 1),
    "c_attn.bias": torch.zeros(6).double(),
    "c_proj.weight": torch.eye(2).double(),
    "c_proj.bias": torch.zeros(2).double(),
}
ROOT = math.sqrt(math.log(3))


@core
def test_the_worked_example(submission):
    x = torch.tensor([[[0.0, 1.0], [ROOT, 0.0]]]).double()
    got = made(submission, PLAIN, 2, 2)(x)
    assert_close(
        got, torch.tensor([[[0.0, 1.0], [0.75 * ROOT, 0.5]]]).double(), what="two tokens, two heads of width 1"
    )


@core
def test_it_is_attention_in_every_head(submission, rng):
    state, x = drawn_state(rng, 15), drawn(rng, 2, 7, 15)
    assert_close(made(submission, state, 3, 15)(x), expected(x, state, 3), what="3 heads of width 5")


@core
def test_the_first_token_changes_every_row_and_the_last_only_its_own(submission, rng):
    layer, x = made(submission, drawn_state(rng, 15), 3, 15), drawn(rng, 2, 7, 15)
    before = as_tensor(layer(x), shape=(2, 7, 15))
    for at in (0, 6):
        other = x.clone()
        other[:, at] += 1
        moved = (as_tensor(layer(other), shape=(2, 7, 15)) - before).abs().amax(dim=(0, 2))
        assert (moved[at:] > 1e-6).all(), (
            f"token {at} was changed, and row {int(moved[at:].argmin()) + at} does not notice"
        )
        assert (moved[:at] < 1e-9).all(), f"token {at} was changed, and an earlier row changed with it"


@edge
def test_a_single_head_and_a_head_for_each_number(submission, rng):
    state, x = drawn_state(rng, 5), drawn(rng, 2, 3, 5)
    for n_head in (1, 5):
        assert_close(made(submission, state, n_head, 5)(x), expected(x, state, n_head), what=f"{n_head} heads")


@edge
def test_a_batch_of_one_and_a_single_token_keep_their_axes(submission, rng):
    state = drawn_state(rng, 6)
    for x in (drawn(rng, 1, 5, 6), drawn(rng, 3, 1, 6)):
        assert_close(made(submission, state, 2, 6)(x), expected(x, state, 2), what=f"x of shape {tuple(x.shape)}")


@edge
def test_without_a_bias_there_is_none(submission, rng):
    state, x = drawn_state(rng, 6, bias=False), drawn(rng, 2, 5, 6)
    layer = made(submission, state, 2, 6, bias=False)
    assert_close(layer(x), expected(x, state, 2), what="attention without a bias")
    submission.require_names(layer, ["c_attn.weight", "c_proj.weight"])


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission):
    submission.require_names(made(submission, PLAIN, 2, 2), list(PLAIN))


@edge
def test_with_a_cache_parts_give_what_the_whole_gives(submission, rng):
    state, x = drawn_state(rng, 6), drawn(rng, 2, 5, 6)
    layer, whole = made(submission, state, 2, 6), expected(x, state, 2)
    for parts in ((1, 4), (2, 2, 1)):
        cache = submission.LayerCache()
        for end, part in zip(torch.tensor(parts).cumsum(0).tolist(), x.split(parts, dim=1), strict=True):
            got = layer(part, cache)
            assert_close(got, whole[:, end - part.shape[1] : end], what=f"the rows up to {end}, in parts of {parts}")
            assert cache["length"] == end, f"the cache should hold {end} positions, and holds {cache['length']}"


@edge
def test_in_training_weights_and_output_are_dropped(submission, rng):
    layer = made(submission, PLAIN, 1, 2, dropout=0.2)
    alone = submission.dropout_shows(layer, 1 + drawn(rng, 101, 1, 2) ** 2, 2)
    two = submission.dropout_shows(layer, 1 + drawn(rng, 101, 2, 2) ** 2, 2)
    assert alone["new"], "a new layer is in training mode, and no entry of its output was dropped"
    assert alone["steady"], "in evaluation mode nothing should be dropped"
    # A token alone has one weight, 1, which is kept as 1 / 0.8 or dropped; so is each number of the output after that.
    assert_equal(alone["multiples"], [0.0, 1.5625], what="what becomes of the numbers of a single token")
    assert alone["together"], "where a weight is dropped, the whole head of that token should be nothing"
    assert not two["multiples"], "with two tokens one weight may be dropped and the other kept"


@edge
def test_float32_stays_float32(submission):
    config = submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=2, d_model=2)
    layer = submission.CausalSelfAttention(config)
    loaded(submission, layer, {name: value.float() for name, value in PLAIN.items()}, double=False)
    as_tensor(layer(torch.ones(1, 3, 2)), shape=(1, 3, 2), dtype=torch.float32)


@edge
def test_gradients_reach_the_rows_and_the_parameters(submission, rng):
    state, x, g = drawn_state(rng, 6), drawn(rng, 2, 5, 6), drawn(rng, 2, 5, 6)
    _, got = made(submission, state, 2, 6).forward.vjp(x, wrt=[0, "c_attn.weight"], cotangents=[g])
    inputs = [x.requires_grad_(), state["c_attn.weight"].requires_grad_()]
    wanted = torch.autograd.grad(expected(x, state, 2), inputs, g)
    for name, mine, theirs in zip(("x", "c_attn.weight"), got, wanted, strict=True):
        assert_close(mine, theirs, what=f"the gradient by {name}")


@edge
def test_a_width_that_does_not_divide_into_the_heads_is_an_error(submission):
    config = submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=3, d_model=7)
    assert_rejects(submission.CausalSelfAttention, config, error=EITHER)


@edge
def test_rows_of_another_width_are_an_error(submission):
    assert_rejects(made(submission, PLAIN, 2, 2).forward, torch.ones(1, 3, 5).double(), error=EITHER)


@edge
def test_the_argument_is_left_alone(submission):
    assert_unchanged(made(submission, PLAIN, 2, 2).forward, torch.ones(1, 3, 2).double())
