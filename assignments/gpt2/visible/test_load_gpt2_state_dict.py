"""gpt2.load_gpt2_state_dict: published weights come to their places, and what does not fit is told."""

import pytest
import torch

from grader.testing import assert_close, assert_keys, assert_rejects, assert_unchanged, core, edge, exercise

pytestmark = exercise("gpt2.load_gpt2_state_dict")

L, H, D, V, BLOCK = 2, 1, 3, 5, 4
EITHER = ("ValueError", "RuntimeError", "KeyError")
NORM = {"weight": (D,), "bias": (D,)}
# As published: the linear layers of a block are stored as [in, out].
PARTS = {
    "ln_1": NORM,
    "attn.c_attn": {"weight": (D, 3 * D), "bias": (3 * D,)},
    "attn.c_proj": {"weight": (D, D), "bias": (D,)},
    "ln_2": NORM,
    "mlp.c_fc": {"weight": (D, 4 * D), "bias": (4 * D,)},
    "mlp.c_proj": {"weight": (4 * D, D), "bias": (D,)},
}
TURNED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


def published(rng, v=V, block=BLOCK):
    """Weights as the bare transformer is published: no prefix, no head."""
    shapes = {"wte.weight": (v, D), "wpe.weight": (block, D)} | {f"ln_f.{name}": size for name, size in NORM.items()}
    for i in range(L):
        shapes |= {f"h.{i}.{part}.{name}": size for part, sizes in PARTS.items() for name, size in sizes.items()}
    return {name: torch.from_numpy(rng.standard_normal(size)) for name, size in shapes.items()}


def as_loaded(state):
    """The same weights as the model holds them."""
    ours = {f"transformer.{name}": value.T if name.endswith(TURNED) else value for name, value in state.items()}
    return ours | {"lm_head.weight": state["wte.weight"]}


def model_of(submission, rng, v=V, block=BLOCK):
    """A model in float64 that begins with other weights."""
    sizes = {"vocab_size": v, "block_size": block, "n_layer": L, "n_head": H, "d_model": D}
    model = submission.GPT(submission.GPTConfig(**sizes))
    model.double()
    model.load_state_dict(as_loaded(published(rng, v, block)))
    return model


def assert_holds(model, state):
    expected = as_loaded(state)
    found = assert_keys(model.state_dict(), *expected, what="the model's state")
    for name, value in expected.items():
        assert_close(found[name], value, what=name)


@core
def test_each_tensor_comes_to_its_place_and_the_matrices_are_turned(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    model.load_gpt2_state_dict(state)
    assert_holds(model, state)


@core
def test_the_keys_of_the_language_model_fit_too_and_shapes_need_not_tell_what_is_turned(submission, rng):
    model, state = model_of(submission, rng, D, D), published(rng, D, D)
    whole = {f"transformer.{name}": value for name, value in state.items()}
    model.load_gpt2_state_dict(whole | {"lm_head.weight": state["wte.weight"].clone()})
    assert_holds(model, state)


@edge
def test_with_the_prefix_the_head_may_still_be_missing(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    model.load_gpt2_state_dict({f"transformer.{name}": value for name, value in state.items()})
    assert_holds(model, state)


@edge
def test_the_masks_of_old_checkpoints_are_passed_over(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    masks = {f"h.{i}.attn.bias": torch.ones(1, 1, BLOCK, BLOCK).tril() for i in range(L)}
    masks |= {f"h.{i}.attn.masked_bias": torch.tensor(-1e4) for i in range(L)}
    model.load_gpt2_state_dict(state | masks)
    assert_holds(model, state)


@edge
def test_a_model_without_biases_takes_weights_without_them(submission, rng):
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": L, "n_head": H, "d_model": D, "bias": False}
    model, state = submission.GPT(submission.GPTConfig(**sizes)), published(rng)
    model.double()
    state = {name: value for name, value in state.items() if not name.endswith("bias")}
    model.load_gpt2_state_dict(state)
    assert_holds(model, state)


@edge
def test_the_head_stays_the_token_embedding(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    model.load_gpt2_state_dict(state)
    for name in ("transformer.wte.weight", "lm_head.weight"):
        new = torch.from_numpy(rng.standard_normal((V, D)))
        model.load_state_dict({name: new}, strict=False)
        found = model.state_dict()
        for each in ("transformer.wte.weight", "lm_head.weight"):
            assert_close(found[each], new, what=f"{each}, after {name} alone was set anew")


@edge
def test_the_model_keeps_its_dtype(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    model.load_gpt2_state_dict({name: value.float() for name, value in state.items()})
    found = assert_keys(model.state_dict(), *as_loaded(state), what="the model's state")
    for name, value in as_loaded(state).items():
        assert_close(found[name], value.float().double(), what=name)


@edge
@pytest.mark.parametrize("name", ["wpe.weight", "h.1.mlp.c_fc.bias"])
def test_what_is_missing_is_told(submission, rng, name):
    model, state = model_of(submission, rng), published(rng)
    del state[name]
    assert_rejects(model.load_gpt2_state_dict, state, error=EITHER)


@edge
@pytest.mark.parametrize("name", ["h.2.ln_1.weight", "h.1.attn.c_attn.scale"])
def test_what_is_left_over_is_told(submission, rng, name):
    model, state = model_of(submission, rng), published(rng)
    assert_rejects(model.load_gpt2_state_dict, state | {name: torch.ones(D).double()}, error=EITHER)


@edge
@pytest.mark.parametrize("name", ["h.0.mlp.c_fc.weight", "wpe.weight"])
def test_a_tensor_of_another_shape_is_refused(submission, rng, name):
    model, state = model_of(submission, rng), published(rng)
    assert_rejects(model.load_gpt2_state_dict, state | {name: state[name].T}, error=EITHER)


@edge
def test_a_head_that_is_not_the_token_embedding_is_refused(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    head = {"lm_head.weight": torch.from_numpy(rng.standard_normal((V, D)))}
    assert_rejects(model.load_gpt2_state_dict, state | head, error=EITHER)


@edge
def test_the_weights_that_are_given_stay_as_they_were(submission, rng):
    model, state = model_of(submission, rng), published(rng)
    state["h.0.attn.bias"] = torch.ones(1, 1, BLOCK, BLOCK).tril()
    assert_unchanged(model.load_gpt2_state_dict, state)
