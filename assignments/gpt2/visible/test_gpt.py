"""gpt2.gpt with its blocks: the logits of weights that are waves, and what the model is made of."""

import torch

from grader.testing import as_tensor, assert_close, assert_keys, assert_rejects, core, edge, exercise

pytestmark = exercise("gpt2.gpt")

L, H, D, V, BLOCK = 2, 2, 4, 5, 6
NOT_FITTING = ("IndexError", "ValueError", "RuntimeError")


def config(submission, n_layer=L, **more):
    given = {"vocab_size": V, "block_size": BLOCK, "n_layer": n_layer, "n_head": H, "d_model": D} | more
    return submission.GPTConfig(**given)


def shapes(n_layer=L, d=D):
    """The parameters by name, as the model has them."""
    norm = {"weight": (d,), "bias": (d,)}
    parts = {
        "ln_1": norm,
        "attn.c_attn": {"weight": (3 * d, d), "bias": (3 * d,)},
        "attn.c_proj": {"weight": (d, d), "bias": (d,)},
        "ln_2": norm,
        "mlp.c_fc": {"weight": (4 * d, d), "bias": (4 * d,)},
        "mlp.c_proj": {"weight": (d, 4 * d), "bias": (d,)},
    }
    whole = {"wte.weight": (V, d), "wpe.weight": (BLOCK, d)}
    for i in range(n_layer):
        whole |= {f"h.{i}.{part}.{name}": size for part, sizes in parts.items() for name, size in sizes.items()}
    whole |= {f"ln_f.{name}": size for name, size in norm.items()}
    return {f"transformer.{name}": size for name, size in whole.items()} | {"lm_head.weight": (V, d)}


def waves(n_layer=L, *, bias=True):
    """Every parameter as a wave of its own: no two are alike."""
    state = {
        name: torch.sin(1.7 * torch.arange(torch.Size(size).numel()).double() + i).reshape(size)
        for i, (name, size) in enumerate(shapes(n_layer).items())
    }
    state["lm_head.weight"] = state["transformer.wte.weight"].clone()
    return {name: value for name, value in state.items() if bias or not name.endswith("bias")}


def loaded(model, state):
    model.double()
    _, unknown = model.load_state_dict(state, strict=False)
    assert not unknown, f"the model has no parameter {', '.join(unknown)}"
    model.eval()
    return model


@core
def test_logits_of_two_blocks_with_two_heads(submission):
    model = loaded(submission.GPT(config(submission)), waves())
    logits = as_tensor(model(torch.tensor([[3, 0, 4]]))[0], shape=(1, 3, V), dtype=torch.float64, what="the logits")
    first = torch.tensor([[-1.298644, 0.255717, 1.743285, 2.775497, 3.082736]], dtype=torch.float64)
    last = torch.tensor([[-1.383510, 0.207070, 1.743563, 2.824628, 3.167886]], dtype=torch.float64)
    assert_close(logits[:, 0], first, atol=1e-6, what="the logits after the first token")
    assert_close(logits[:, -1], last, atol=1e-6, what="the logits after the last token")


@core
def test_a_token_reaches_its_own_logits_and_all_later_ones_and_no_earlier_ones(submission):
    model, idx = loaded(submission.GPT(config(submission)), waves()), torch.tensor([[3, 0, 4, 2]])
    before = as_tensor(model(idx)[0], shape=(1, 4, V), what="the logits")
    idx[0, 2] = 1
    after = as_tensor(model(idx)[0], shape=(1, 4, V), what="the logits")
    assert_close(after[:, :2], before[:, :2], what="the logits before token 2, which was changed")
    moved = (after - before).abs().amax(dim=(0, 2))
    assert (moved[2:] > 1e-6).all(), "token 2 was changed, so the logits of tokens 2 and 3 should change"


@edge
def test_without_a_bias_there_is_none(submission):
    model = loaded(submission.GPT(config(submission, 1, bias=False)), waves(1, bias=False))
    names = [name for name in shapes(1) if not name.endswith("bias")]
    assert_keys(model.state_dict(), *names, what="the state of a model without biases")
    as_tensor(model(torch.tensor([[3, 0, 4]]))[0], shape=(1, 3, V), dtype=torch.float64, what="the logits")


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission):
    model = submission.GPT(config(submission))
    model.load_state_dict({name: value.float() for name, value in waves().items()}, strict=False)
    state = assert_keys(model.state_dict(), *shapes(), what="the model's state")
    for name, shape in shapes().items():
        as_tensor(state[name], shape=shape, dtype=torch.float32, what=name)


@edge
def test_every_parameter_gets_a_gradient(submission):
    model, idx = loaded(submission.GPT(config(submission, 1)), waves(1)), torch.tensor([[3, 0, 4, 1, 2, 2]])
    targets = torch.tensor([[0, 4, 1, 2, 2, 3]])
    nothing = [torch.zeros(1, 6, V).double(), torch.ones(()).double()]
    names = [name for name in shapes(1) if name != "lm_head.weight"]
    _, found = model.forward.vjp(idx, targets, wrt=names, cotangents=nothing)
    for name, got in zip(names, found, strict=True):
        assert got is not None, f"{name} gets no gradient"
        assert as_tensor(got, what=f"the gradient by {name}").any(), f"the gradient by {name} is 0"


@edge
def test_in_training_mode_everything_is_dropped_where_dropout_is_1(submission):
    state, idx = waves(1), torch.tensor([[3, 0, 4], [1, 1, 2]])
    model, right = (loaded(submission.GPT(config(submission, 1, dropout=p)), state) for p in (1.0, 0.0))
    # Nothing is left of the embeddings and the branches, and the last norm makes its bias of that.
    alone = (state["transformer.ln_f.bias"] @ state["lm_head.weight"].T).expand(2, 3, V)
    fresh = submission.GPT(config(submission, 1, dropout=1.0))
    fresh.double()
    fresh.load_state_dict(state, strict=False)
    assert_close(fresh(idx)[0], alone, what="the logits of a new model, which is in training mode")
    assert_close(model(idx)[0], right(idx)[0], what="the logits in evaluation mode, where nothing is dropped")
    model.train()
    assert_close(model(idx)[0], alone, what="the logits in training mode, after evaluation mode")


@edge
def test_a_new_model_begins_as_gpt2_did(submission):
    new = submission.GPT(config(submission, 4, d_model=32, vocab_size=89, block_size=53))
    found = assert_keys(submission.beginnings(new), *shapes(4), "first loss", what="what the new model begins with")
    for name in shapes(4):
        usual = 1.0 if "ln_" in name and name.endswith("weight") else 0.0 if name.endswith("bias") else 0.02
        expected = round(usual / 8**0.5, 4) if name.endswith("c_proj.weight") else usual
        of = "standard deviation" if name.endswith("weight") and "ln_" not in name else "entries"
        assert found[name] == expected, f"the {of} of a new {name}: about {found[name]}, expected {expected}"
    assert found["first loss"] == 1.0, f"the first loss is about {found['first loss']} ln V, expected 1.0"


@edge
def test_a_sequence_without_a_batch_is_an_error(submission):
    model = loaded(submission.GPT(config(submission, 1)), waves(1))
    assert_rejects(model.forward, torch.tensor([3, 0, 4]), error=NOT_FITTING)
