"""What decides the score of `GPT`: the logits of known weights, then what the model is made of.

Models without blocks and the cache have files of their own. Weights are given, so nothing depends on the order in which parameters are made.
"""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_keys,
    assert_rejects,
    assert_tuple,
    core,
    edge,
    exercise,
)

pytestmark = exercise("gpt2.gpt")

B, T, L, H, D, V, BLOCK = 4, 6, 2, 3, 15, 13, 11
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


def drawn_state(rng, n_layer=L, *, d=D, bias=True):
    """Numbers of about 1 in each vector and embedding, and matrices that keep that size."""
    state = {}
    for name, size in shapes(n_layer, d).items():
        fan = size[-1] if ".c_" in name and len(size) > 1 else 1
        state[name] = torch.from_numpy(rng.standard_normal(size)) / fan**0.5
    state["lm_head.weight"] = state["transformer.wte.weight"].clone()
    return {name: value for name, value in state.items() if bias or not name.endswith("bias")}


def loaded(model, state):
    model.double()
    _, unknown = model.load_state_dict(state, strict=False)
    assert not unknown, f"the model has no parameter {', '.join(unknown)}"
    model.eval()
    return model


def both(submission, reference, rng, n_layer=L, **more):
    """The submission's model and the right one, with the same parameters."""
    state = drawn_state(rng, n_layer, d=more.get("d_model", D), bias=more.get("bias", True))
    return [loaded(each.GPT(config(each, n_layer, **more)), state) for each in (submission, reference)]


def tokens(rng, *shape):
    return torch.from_numpy(rng.integers(0, V, shape))


def right_logits(model, idx):
    return model(idx)[0].detach()


@core
def test_known_weights_give_the_logits_of_gpt2(submission, reference, rng):
    model, right = both(submission, reference, rng)
    idx = tokens(rng, B, T)
    logits, loss = assert_tuple(model(idx), 2, what="what forward returns")
    assert_close(logits, right_logits(right, idx), what="the logits of 2 blocks with 3 heads")
    assert loss is None, "without targets there is no loss: the second part should be None"


@edge
def test_without_a_bias_there_is_none(submission, reference, rng):
    model, right = both(submission, reference, rng, 1, n_head=1, d_model=8, bias=False)
    idx = tokens(rng, B, T)
    assert_close(model(idx)[0], right_logits(right, idx), what="the logits of a model without biases")
    names = [name for name in shapes(1) if not name.endswith("bias")]
    assert_keys(model.state_dict(), *names, what="the state of a model without biases")


@edge
def test_its_parameters_are_those_of_gpt2_and_no_others(submission, rng):
    model = submission.GPT(config(submission))
    model.load_state_dict({name: value.float() for name, value in drawn_state(rng).items()}, strict=False)
    state = assert_keys(model.state_dict(), *shapes(), what="the model's state")
    for name, shape in shapes().items():
        as_tensor(state[name], shape=shape, dtype=torch.float32, what=name)


@edge
def test_every_parameter_gets_its_gradient(submission, reference, rng):
    model, right = both(submission, reference, rng, 1, n_head=5)
    idx, targets = tokens(rng, B, T), tokens(rng, B, T)
    names = [name for name in shapes(1) if name != "lm_head.weight"]
    given = [torch.from_numpy(rng.standard_normal((B, T, V))), torch.ones((), dtype=torch.float64)]
    _, got = model.forward.vjp(idx, targets, wrt=names, cotangents=given)
    parameters = dict(right.named_parameters())
    expected = torch.autograd.grad(right(idx, targets), [parameters[name] for name in names], given)
    for name, mine, theirs in zip(names, got, expected, strict=True):
        assert mine is not None, f"{name} gets no gradient"
        assert_close(mine, theirs, what=f"the gradient by {name}")


@edge
def test_in_training_mode_everything_is_dropped_where_dropout_is_1(submission, reference, rng):
    state, idx = drawn_state(rng, 1), tokens(rng, B, T)
    model = loaded(submission.GPT(config(submission, 1, dropout=1.0)), state)
    right = loaded(reference.GPT(config(reference, 1)), state)
    # Nothing is left of the embeddings and the branches, and the last norm makes its bias of that.
    alone = (state["transformer.ln_f.bias"] @ state["lm_head.weight"].T).expand(B, T, V)
    fresh = submission.GPT(config(submission, 1, dropout=1.0))
    fresh.double()
    fresh.load_state_dict(state, strict=False)
    assert_close(fresh(idx)[0], alone, what="the logits of a new model, which is in training mode")
    assert_close(
        model(idx)[0], right_logits(right, idx), what="the logits in evaluation mode, where nothing is dropped"
    )
    model.train()
    assert_close(model(idx)[0], alone, what="the logits in training mode, after evaluation mode")


@edge
def test_a_new_model_begins_as_gpt2_did(submission):
    new = submission.GPT(config(submission, 4, d_model=32, n_head=2, vocab_size=101, block_size=59))
    found = assert_keys(submission.beginnings(new), *shapes(4), "first loss", what="what the new model begins with")
    for name in shapes(4):
        usual = 1.0 if "ln_" in name and name.endswith("weight") else 0.0 if name.endswith("bias") else 0.02
        expected = round(usual / 8**0.5, 4) if name.endswith("c_proj.weight") else usual
        of = "standard deviation" if name.endswith("weight") and "ln_" not in name else "entries"
        assert found[name] == expected, f"the {of} of a new {name}: about {found[name]}, expected {expected}"
    assert found["first loss"] == 1.0, f"the first loss is about {found['first loss']} ln V, expected 1.0"


@edge
def test_a_sequence_without_a_batch_is_refused(submission, rng):
    model = loaded(submission.GPT(config(submission, 1)), drawn_state(rng, 1))
    assert_rejects(model.forward, tokens(rng, T), error=NOT_FITTING)
