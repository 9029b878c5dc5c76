"""What decides the score of `GPT`: embeddings, head and loss, in models without blocks, where nothing else is."""

import torch

from grader.testing import (
    as_tensor,
    assert_close,
    assert_equal,
    assert_rejects,
    assert_tuple,
    assert_unchanged,
    core,
    edge,
    exercise,
)

pytestmark = exercise("gpt2.gpt")

B, T, H, D, V, BLOCK = 3, 5, 2, 8, 7, 6
OUT_OF_RANGE = ("IndexError", "ValueError", "RuntimeError")
# An embedding raises IndexError, and only on a CPU: how many positions there are the model has to ask itself.
TOO_LONG = ("ValueError", "RuntimeError")
SHAPES = {"wte.weight": (V, D), "wpe.weight": (BLOCK, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}


def models(rng, *modules):
    """A model of each module, in float64, all with the same weights."""
    state = {f"transformer.{name}": torch.from_numpy(rng.standard_normal(shape)) for name, shape in SHAPES.items()}
    state["lm_head.weight"] = state["transformer.wte.weight"].clone()
    return [_loaded(module, state) for module in modules]


def _loaded(module, state):
    sizes = {"vocab_size": V, "block_size": BLOCK, "n_layer": 0, "n_head": H, "d_model": D}
    model = module.GPT(module.GPTConfig(**sizes))
    model.double()
    _, unknown = model.load_state_dict(state, strict=False)
    assert not unknown, f"the model has no parameter {', '.join(unknown)}"
    model.eval()
    return model


def tokens(rng, *shape):
    return torch.from_numpy(rng.integers(0, V, shape))


@core
def test_embeddings_and_head_give_the_logits_of_gpt2(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx = tokens(rng, B, T)
    logits, loss = assert_tuple(model(idx), 2, what="what forward returns")
    assert_close(logits, right(idx)[0].detach(), what="the logits of a model without blocks")
    assert loss is None, "without targets there is no loss: the second part should be None"


@core
def test_the_loss_is_the_mean_over_all_targets(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx, targets = tokens(rng, B, T), tokens(rng, B, T)
    logits, loss = assert_tuple(model(idx, targets), 2, what="what forward returns")
    expected, mean = right(idx, targets)
    as_tensor(loss, shape=(), dtype=torch.float64, what="the loss")
    assert_close(loss, mean.detach(), what=f"the loss of {B} sequences of {T} tokens")
    assert_close(logits, expected.detach(), what="the logits beside the loss")


@edge
def test_a_single_target_has_a_loss(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx, targets = tokens(rng, 1, 1), tokens(rng, 1, 1)
    assert_close(model(idx, targets)[1], right(idx, targets)[1].detach(), what="the loss of one token")


@edge
def test_targets_of_minus_1_are_ignored_and_not_counted(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx, targets = tokens(rng, B, T), tokens(rng, B, T)
    targets[0, 1:] = targets[1, 3] = -1
    assert_close(model(idx, targets)[1], right(idx, targets)[1].detach(), what=f"the loss of 10 targets among {B * T}")


@edge
def test_where_all_targets_are_ignored_there_is_no_mean(submission, rng):
    [model] = models(rng, submission)
    _, loss = model(tokens(rng, B, T), torch.full((B, T), -1))
    assert as_tensor(loss, shape=(), what="the loss").isnan(), "with no target left the loss is 0 / 0: NaN"


@edge
def test_targets_that_the_vocabulary_does_not_have_are_refused(submission, rng):
    [model] = models(rng, submission)
    for strange in (V, -2):
        targets = tokens(rng, B, T)
        targets[1, 2] = strange
        assert_rejects(model.forward, tokens(rng, B, T), targets, error=OUT_OF_RANGE)


@edge
def test_targets_of_another_shape_are_refused(submission, rng):
    [model] = models(rng, submission)
    assert_rejects(model.forward, tokens(rng, B, T), tokens(rng, T, B), error=OUT_OF_RANGE)


@edge
def test_a_single_sequence_and_a_single_token_keep_their_axes(submission, reference, rng):
    model, right = models(rng, submission, reference)
    for shape in ((1, T), (B, 1), (1, 1)):
        idx = tokens(rng, *shape)
        assert_close(model(idx)[0], right(idx)[0].detach(), what=f"the logits of idx {shape}")


@edge
def test_the_block_size_can_be_filled_and_no_more(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx = tokens(rng, 1, BLOCK)
    assert_close(model(idx)[0], right(idx)[0].detach(), what=f"the logits of {BLOCK} tokens, all that fit")
    assert_rejects(model.forward, tokens(rng, B, BLOCK + 1), error=TOO_LONG)


@edge
def test_the_head_is_the_token_embedding_whichever_of_them_is_set(submission, reference, rng):
    model, right = models(rng, submission, reference)
    idx = tokens(rng, B, T)
    for name in ("transformer.wte.weight", "lm_head.weight"):
        new = torch.from_numpy(rng.standard_normal((V, D)))
        for each in (model, right):
            each.load_state_dict({name: new}, strict=False)
        assert_close(model(idx)[0], right(idx)[0].detach(), what=f"the logits after {name} alone was set anew")


@edge
def test_tokens_that_the_vocabulary_does_not_have_are_refused(submission, rng):
    [model] = models(rng, submission)
    for strange in (V, -1):
        idx = tokens(rng, B, T)
        idx[1, 2] = strange
        assert_rejects(model.forward, idx, error=OUT_OF_RANGE)


@edge
def test_tokens_and_targets_stay_as_they_were(submission, rng):
    [model] = models(rng, submission)
    idx, targets = tokens(rng, B, T), tokens(rng, B, T)
    targets[0, :2] = -1
    logits, _ = assert_unchanged(model.forward, idx, targets)
    assert_equal(logits, assert_unchanged(model.forward, idx)[0], what="the logits, with targets and without")
