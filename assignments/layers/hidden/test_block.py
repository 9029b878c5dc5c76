"""What decides the score of `Block`: how its parts are joined, then every edge by itself.

A block is compared with what the submission's own parts give, so that a mistake in one of them costs there alone.
"""

import torch

from grader.testing import as_tensor, assert_close, assert_equal, core, edge, exercise

pytestmark = exercise("layers.block")

B, T, H, D = 2, 5, 3, 21
NORM = {"weight": (D,), "bias": (D,)}
ATTN = {"c_attn.weight": (3 * D, D), "c_attn.bias": (3 * D,), "c_proj.weight": (D, D), "c_proj.bias": (D,)}
MLP = {"c_fc.weight": (4 * D, D), "c_fc.bias": (4 * D,), "c_proj.weight": (D, 4 * D), "c_proj.bias": (D,)}
PARTS = {"ln_1": NORM, "attn": ATTN, "ln_2": NORM, "mlp": MLP}


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_states(rng, *, bias=True):
    """The parameters of each part by its name."""
    return {
        part: {
            name: drawn(rng, *shape) / max(1, len(shape) - 1) / (D**0.5 if len(shape) > 1 else 1)
            for name, shape in shapes.items()
            if bias or not name.endswith("bias")
        }
        for part, shapes in PARTS.items()
    }


def loaded(submission, layer, state):
    layer.double()
    unknown = submission.fill(layer, state)["unknown"]
    assert not unknown, f"there is no parameter {', '.join(unknown)}"
    return layer


def config(submission, n_head=H, **more):
    return submission.GPTConfig(vocab_size=29, block_size=11, n_layer=2, n_head=n_head, d_model=D, **more)


def names(states):
    return {f"{part}.{name}": value for part, state in states.items() for name, value in state.items()}


def block(submission, states, **more):
    return loaded(submission, submission.Block(config(submission, **more)), names(states))


def parts_of(submission, states, **more):
    """The same parts by themselves: ln_1, attn, ln_2, mlp."""
    made = config(submission, **more)
    norms = [submission.LayerNorm(D, bias=more.get("bias", True)) for _ in range(2)]
    parts = norms[0], submission.CausalSelfAttention(made), norms[1], submission.MLP(made)
    return [loaded(submission, part, states[name]) for part, name in zip(parts, PARTS, strict=True)]


def joined(parts, x, *cache):
    """What the parts give."""
    ln_1, attn, ln_2, mlp = parts
    y = x + row_by_row(attn(row_by_row(ln_1(x), x), *cache), x)
    return y + row_by_row(mlp(row_by_row(ln_2(y), x)), x)


def row_by_row(got, x):
    return as_tensor(got, shape=tuple(x.shape), dtype=x.dtype, what="what a part of the block gives")


def assert_fits(function, x, g, rng):
    """Compare the gradient by x with differences of the submission's own values: whether those are right is a question of its own."""
    _, [grad] = function.vjp(x, wrt=[0], cotangents=[g])
    v, h = drawn(rng, *x.shape), 1e-5
    slope = (g * (function(x + h * v) - function(x - h * v))).sum() / (2 * h)
    along = (as_tensor(grad, shape=tuple(x.shape), what="the gradient by x") * v).sum()
    assert_close(along, slope, rtol=1e-4, atol=1e-4, what="the gradient by x, along one direction")


@core
def test_each_branch_is_normed_first_and_added_to_what_came_in(submission, rng):
    states, x = drawn_states(rng), 1 + 2 * drawn(rng, B, T, D)
    expected = joined(parts_of(submission, states), x)
    assert_close(block(submission, states)(x), expected, what="the block, against its parts one by one")


@edge
def test_without_a_bias_there_is_none_in_any_part(submission, rng):
    states = drawn_states(rng, bias=False)
    told = submission.fill(submission.Block(config(submission, bias=False)), names(states))
    assert not told["biases_left"], "there is a bias, where none is wanted"


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission, rng):
    states = drawn_states(rng)
    parts = dict(zip(PARTS, parts_of(submission, states), strict=True))
    submission.require_names(block(submission, states), list(names(states)), parts)


@edge
def test_the_cache_reaches_the_attention(submission, rng):
    """Whatever the attention does with a cache, it does as well within the block."""
    states, x = drawn_states(rng), 1 + 2 * drawn(rng, B, T, D)
    made, cache = block(submission, states), submission.LayerCache()
    attn = loaded(submission, submission.CausalSelfAttention(config(submission)), states["attn"])
    kept = submission.LayerCache()
    made(x[:, :3], cache)
    attn(x[:, :3], kept)
    assert cache["length"] == kept["length"], "the block should use the cache as its attention does"
    after, alone = made(x[:, 3:], cache), made(x[:, 3:], submission.LayerCache())
    told = attn(x[:, 3:], kept), attn(x[:, 3:], submission.LayerCache())
    assert torch.equal(after, alone) == torch.equal(*told), (
        "what is in the cache should matter as it does to the attention"
    )


@edge
def test_dropout_is_that_of_the_parts_in_training_mode_only(submission, rng):
    states, x = drawn_states(rng), drawn(rng, B, T, D)
    made = block(submission, states, dropout=1.0)
    made.eval()
    intact = as_tensor(block(submission, states)(x), shape=(B, T, D))
    assert_close(made(x), intact, what="a block in evaluation mode, against one without dropout")
    made.train()
    assert_equal(made(x), x, what="a block in training mode, with both branches dropped")


@edge
def test_gradients_pass_by_and_through_the_branches(submission, rng):
    assert_fits(block(submission, drawn_states(rng)).forward, drawn(rng, B, T, D), drawn(rng, B, T, D), rng)
