"""gpt2.gpt with a cache: what came before need not be computed again, and still counts."""

import torch

from grader.testing import assert_close, assert_rejects, edge, exercise

pytestmark = exercise("gpt2.gpt")

L, H, D, V, BLOCK = 2, 2, 4, 5, 6
OUT_OF_RANGE = ("IndexError", "ValueError", "RuntimeError")
# An embedding raises IndexError, and only on a CPU: how many positions there are the model has to ask itself.
TOO_LONG = ("ValueError", "RuntimeError")
NORM = {"weight": (D,), "bias": (D,)}
PARTS = {
    "ln_1": NORM,
    "attn.c_attn": {"weight": (3 * D, D), "bias": (3 * D,)},
    "attn.c_proj": {"weight": (D, D), "bias": (D,)},
    "ln_2": NORM,
    "mlp.c_fc": {"weight": (4 * D, D), "bias": (4 * D,)},
    "mlp.c_proj": {"weight": (D, 4 * D), "bias": (D,)},
}


def model_of(submission, rng):
    """A model in float64 with weights that are drawn."""
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": L, "n_head": H, "d_model": D}
    model = submission.GPT(submission.GPTConfig(**sizes))
    model.double()
    shapes = {"wte.weight": (V, D), "wpe.weight": (BLOCK, D)} | {f"ln_f.{name}": size for name, size in NORM.items()}
    for i in range(L):
        shapes |= {f"h.{i}.{part}.{name}": size for part, sizes in PARTS.items() for name, size in sizes.items()}
    state = {f"transformer.{name}": torch.from_numpy(rng.standard_normal(size)) for name, size in shapes.items()}
    state["lm_head.weight"] = state["transformer.wte.weight"].clone()
    _, unknown = model.load_state_dict(state, strict=False)
    assert not unknown, f"the model has no parameter {', '.join(unknown)}"
    model.eval()
    return model


def caches(submission, number=L):
    return [submission.LayerCache() for _ in range(number)]


@edge
def test_parts_through_a_cache_give_what_the_whole_gives(submission, rng):
    model, idx = model_of(submission, rng), torch.tensor([[3, 0, 4, 1, 2], [2, 2, 0, 1, 4]])
    whole, cache, end = model(idx)[0], caches(submission), 0
    for part in idx.split((2, 2, 1), dim=1):
        start, end = end, end + part.shape[1]
        assert_close(
            model(part, cache=cache)[0], whole[:, start:end], what=f"the logits of tokens {start} to {end - 1}"
        )
        held = submission.lengths(cache)
        assert held == [end] * L, f"each cache should hold {end} positions, and they hold {held}"


@edge
def test_positions_in_the_cache_count_and_a_refusal_leaves_it_alone(submission, rng):
    model, cache = model_of(submission, rng), caches(submission)
    model(torch.tensor([[3, 0, 4, 1]]), cache=cache)
    assert_rejects(model.forward, torch.tensor([[2, 2, 0]]), cache=cache, error=TOO_LONG)
    held = submission.lengths(cache)
    assert held == [4] * L, f"after a refusal each cache should still hold 4 positions, got {held}"
    model(torch.tensor([[2, 2]]), cache=cache)
    held = submission.lengths(cache)
    assert held == [BLOCK] * L, f"6 positions fit, and the caches hold {held}"


@edge
def test_targets_of_another_shape_are_refused_before_a_cache_is_filled(submission, rng):
    model, idx = model_of(submission, rng), torch.tensor([[3, 0, 4], [1, 2, 2]])
    for targets in (idx[:, :2], idx.T):
        cache, of = caches(submission), f"targets {list(targets.shape)} for idx {list(idx.shape)}"
        assert_rejects(model.forward, idx, targets, cache=cache, error=OUT_OF_RANGE)
        held = submission.lengths(cache)
        assert held == [0] * L, f"{of} were refused, and the caches hold {held} positions"


@edge
def test_there_are_as_many_caches_as_blocks_or_none_is_touched(submission, rng):
    model = model_of(submission, rng)
    for number in (1, 3, 0):
        cache = caches(submission, number)
        assert_rejects(model.forward, torch.tensor([[3, 0]]), cache=cache, error=OUT_OF_RANGE)
        held = submission.lengths(cache)
        assert held == [0] * number, f"{number} caches for {L} blocks were refused, and hold {held}"
