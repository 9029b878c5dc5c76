"""layers.block: x + attn(ln_1(x)), then x + mlp(ln_2(x)). A block is compared with your own parts, one by one."""

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

pytestmark = exercise("layers.block")

D = 6
NORM = {"weight": (D,), "bias": (D,)}
ATTN = {"c_attn.weight": (3 * D, D), "c_attn.bias": (3 * D,), "c_proj.weight": (D, D), "c_proj.bias": (D,)}
MLP = {"c_fc.weight": (4 * D, D), "c_fc.bias": (4 * D,), "c_proj.weight": (D, 4 * D), "c_proj.bias": (D,)}
PARTS = {"ln_1": NORM, "attn": ATTN, "ln_2": NORM, "mlp": MLP}


def drawn(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape))


def drawn_states(rng, *, bias=True):
    """The parameters of each part by its name."""
    return {
        part: {name: drawn(rng, *shape) for name, shape in shapes.items() if bias or not name.endswith("bias")}
        for part, shapes in PARTS.items()
    }


def loaded(submission, layer, state):
    layer.double()
    unknown = submission.fill(layer, state)["unknown"]
    assert not unknown, f"there is no parameter {', '.join(unknown)}"
    return layer


def config(submission, n_head=2, **more):
    return submission.GPTConfig(vocab_size=19, block_size=13, n_layer=2, n_head=n_head, d_model=D, **more)


def names(states):
    return {f"{part}.{name}": value for part, state in states.items() for name, value in state.items()}


def block(submission, states, **more):
    return loaded(submission, submission.Block(config(submission, **more)), names(states))


def parts_of(submission, states, **more):
    """The same parts by themselves: ln_1, attn, ln_2, mlp."""
    norms = [submission.LayerNorm(D, bias=more.get("bias", True)) for _ in range(2)]
    layers = (
        norms[0],
        submission.CausalSelfAttention(config(submission, **more)),
        norms[1],
        submission.MLP(config(submission, **more)),
    )
    return [loaded(submission, layer, states[name]) for layer, name in zip(layers, PARTS, strict=True)]


def joined(parts, x, *cache):
    """What the parts give."""
    ln_1, attn, ln_2, mlp = parts
    y = x + alike(attn(alike(ln_1(x), x), *cache), x)
    return y + alike(mlp(alike(ln_2(y), x)), x)


def alike(got, x):
    return as_tensor(got, shape=tuple(x.shape), dtype=x.dtype, what="what a part of the block gives")


@core
def test_a_block_is_its_parts_joined(submission, rng):
    states, x = drawn_states(rng), 1 + 2 * drawn(rng, 2, 3, D)
    assert_close(block(submission, states)(x), joined(parts_of(submission, states), x), what="the block")


@core
def test_branches_that_give_nothing_leave_the_rows_as_they_are(submission, rng):
    states, x = drawn_states(rng), 1 + 2 * drawn(rng, 2, 3, D)
    for part in ("attn", "mlp"):
        states[part] |= {name: torch.zeros_like(states[part][name]) for name in ("c_proj.weight", "c_proj.bias")}
    assert_close(block(submission, states)(x), x, what="a block whose branches give 0")


@edge
def test_without_a_bias_there_is_none_in_any_part(submission, rng):
    states, x = drawn_states(rng, bias=False), drawn(rng, 1, 3, D)
    made = block(submission, states, bias=False)
    assert_close(made(x), joined(parts_of(submission, states, bias=False), x), what="a block without biases")
    parts = dict(zip(PARTS, parts_of(submission, states, bias=False), strict=True))
    submission.require_names(made, list(names(states)), parts)


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission, rng):
    states = drawn_states(rng)
    parts = dict(zip(PARTS, parts_of(submission, states), strict=True))
    submission.require_names(block(submission, states), list(names(states)), parts)


@edge
def test_the_cache_reaches_the_attention(submission, rng):
    states, x = drawn_states(rng), drawn(rng, 1, 4, D)
    made, cache = block(submission, states), submission.LayerCache()
    parts, kept = parts_of(submission, states), submission.LayerCache()
    for part in x.split((3, 1), dim=1):
        assert_close(made(part, cache), joined(parts, part, kept), what="the next rows, with a cache")
        assert cache["length"] == kept["length"], "the block should use the cache as its attention does"


@edge
def test_dropout_is_that_of_the_parts_in_training_mode_only(submission, rng):
    states, x = drawn_states(rng), drawn(rng, 1, 3, D)
    made = block(submission, states, dropout=1.0)
    made.eval()
    assert_close(made(x), joined(parts_of(submission, states), x), what="a block in evaluation mode")
    made.train()
    assert_equal(made(x), x, what="a block in training mode, with both branches dropped")


@edge
def test_the_gradient_passes_by_and_through_the_branches(submission, rng):
    states, x = drawn_states(rng), drawn(rng, 1, 3, D)
    for part in ("attn", "mlp"):
        states[part] |= {name: torch.zeros_like(states[part][name]) for name in ("c_proj.weight", "c_proj.bias")}
    g = drawn(rng, 1, 3, D)
    _, [by_x] = block(submission, states).forward.vjp(x, wrt=[0], cotangents=[g])
    assert_close(by_x, g, what="the gradient by x where the branches give 0")


@edge
def test_a_width_that_does_not_divide_into_the_heads_is_an_error(submission):
    assert_rejects(submission.Block, config(submission, n_head=4), error=("ValueError", "RuntimeError"))


@edge
def test_the_argument_is_left_alone(submission, rng):
    assert_unchanged(block(submission, drawn_states(rng)).forward, drawn(rng, 1, 3, D))
