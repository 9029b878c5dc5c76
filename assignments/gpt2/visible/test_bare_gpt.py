"""gpt2.gpt without blocks: two embeddings, the last norm, the head and the loss. What is right can be written down in a line."""

import torch
from torch.nn import functional as F

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

D, V, BLOCK = 4, 5, 4
OUT_OF_RANGE = ("IndexError", "ValueError", "RuntimeError")
SHAPES = {"wte.weight": (V, D), "wpe.weight": (BLOCK, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}


def drawn_state(rng):
    state = {f"transformer.{name}": torch.from_numpy(rng.standard_normal(shape)) for name, shape in SHAPES.items()}
    return state | {"lm_head.weight": state["transformer.wte.weight"].clone()}


def model_of(submission, state):
    """A model without blocks, in float64, with these weights."""
    model = submission.GPT(submission.GPTConfig(vocab_size=V, block_size=BLOCK, n_layer=0, n_head=2, d_model=D))
    model.double()
    _, unknown = model.load_state_dict(state, strict=False)
    assert not unknown, f"the model has no parameter {', '.join(unknown)}"
    model.eval()
    return model


def right_logits(state, idx):
    wte, wpe, weight, bias = (state[f"transformer.{name}"] for name in SHAPES)
    return F.layer_norm(wte[idx] + wpe[: idx.shape[1]], (D,), weight, bias) @ wte.T


@core
def test_logits_of_embeddings_norm_and_head(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[3, 1, 4], [1, 0, 1]])
    logits, loss = assert_tuple(model_of(submission, state)(idx), 2, what="what forward returns")
    assert_close(logits, right_logits(state, idx), what="the logits of a model without blocks")
    assert loss is None, "without targets there is no loss: the second part should be None"


@core
def test_the_loss_is_the_mean_over_all_targets(submission, rng):
    state, idx, targets = drawn_state(rng), torch.tensor([[3, 1, 4], [1, 0, 1]]), torch.tensor([[1, 4, 1], [2, 3, 0]])
    logits, loss = assert_tuple(model_of(submission, state)(idx, targets), 2, what="what forward returns")
    as_tensor(loss, shape=(), dtype=torch.float64, what="the loss")
    expected = right_logits(state, idx)
    assert_close(loss, F.cross_entropy(expected.flatten(0, 1), targets.flatten()), what="the loss of 2 sequences")
    assert_close(logits, expected, what="the logits beside the loss")


@edge
def test_the_order_of_the_tokens_matters(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[2, 0, 3]])
    turned = as_tensor(model_of(submission, state)(idx.flip(1))[0], shape=(1, 3, V), what="the logits")
    assert_close(turned, right_logits(state, idx.flip(1)), what="the logits of the same tokens in another order")


@edge
def test_a_single_sequence_and_a_single_token_keep_their_axes(submission, rng):
    state = drawn_state(rng)
    model = model_of(submission, state)
    for idx in (torch.tensor([[2, 0, 3]]), torch.tensor([[2], [0]]), torch.tensor([[1]])):
        assert_close(model(idx)[0], right_logits(state, idx), what=f"the logits of idx {tuple(idx.shape)}")


@edge
def test_a_single_target_has_a_loss(submission, rng):
    state, idx, targets = drawn_state(rng), torch.tensor([[3]]), torch.tensor([[2]])
    expected = F.cross_entropy(right_logits(state, idx)[0], targets[0])
    assert_close(model_of(submission, state)(idx, targets)[1], expected, what="the loss of one token")


@edge
def test_targets_of_minus_1_are_ignored_and_not_counted(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[3, 1, 4], [1, 0, 1]])
    targets = torch.tensor([[1, -1, -1], [2, 0, 4]])
    expected = F.cross_entropy(right_logits(state, idx).flatten(0, 1), targets.flatten(), ignore_index=-1)
    assert_close(model_of(submission, state)(idx, targets)[1], expected, what="the loss of 4 targets among 6")


@edge
def test_where_all_targets_are_ignored_there_is_no_mean(submission, rng):
    _, loss = model_of(submission, drawn_state(rng))(torch.tensor([[3, 1]]), torch.tensor([[-1, -1]]))
    assert as_tensor(loss, shape=(), what="the loss").isnan(), "with no target left the loss is 0 / 0: NaN"


@edge
def test_targets_out_of_range_are_an_error(submission, rng):
    model = model_of(submission, drawn_state(rng))
    for strange in (V, -2):
        targets = torch.tensor([[0, strange, 1]])
        assert_rejects(model.forward, torch.tensor([[3, 1, 4]]), targets, error=OUT_OF_RANGE)


@edge
def test_targets_of_another_shape_are_an_error(submission, rng):
    model, idx = model_of(submission, drawn_state(rng)), torch.tensor([[3, 1, 4], [1, 0, 1]])
    assert_rejects(model.forward, idx, idx.T, error=OUT_OF_RANGE)


@edge
def test_the_block_size_can_be_filled_and_no_more(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[4, 0, 2, 2]])
    model = model_of(submission, state)
    assert_close(model(idx)[0], right_logits(state, idx), what="the logits of 4 tokens, all that fit")
    # An embedding raises IndexError, and only on a CPU: how many positions there are the model has to ask itself.
    assert_rejects(model.forward, torch.tensor([[4, 0, 2, 2, 1]]), error=("ValueError", "RuntimeError"))


@edge
def test_the_head_is_the_token_embedding(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[3, 1, 4]])
    model = model_of(submission, state)
    for name in ("transformer.wte.weight", "lm_head.weight"):
        new = torch.from_numpy(rng.standard_normal((V, D)))
        model.load_state_dict({name: new}, strict=False)
        expected = right_logits(state | {"transformer.wte.weight": new}, idx)
        assert_close(model(idx)[0], expected, what=f"the logits after {name} alone was set anew")


@edge
def test_the_token_embedding_learns_from_both_its_places(submission, rng):
    state, idx = drawn_state(rng), torch.tensor([[3, 1, 4]])
    g, none = torch.from_numpy(rng.standard_normal((1, 3, V))), torch.zeros(()).double()
    name = "transformer.wte.weight"
    _, [got] = model_of(submission, state).forward.vjp(idx, idx, wrt=[name], cotangents=[g, none])
    state[name].requires_grad_()
    [expected] = torch.autograd.grad(right_logits(state, idx), [state[name]], g)
    assert got is not None, "the token embedding gets no gradient"
    assert_close(got, expected, what="the gradient by the token embedding, which is also the head")


@edge
def test_token_ids_out_of_range_are_an_error(submission, rng):
    model = model_of(submission, drawn_state(rng))
    for strange in (V, -1):
        assert_rejects(model.forward, torch.tensor([[0, strange, 1]]), error=OUT_OF_RANGE)


@edge
def test_tokens_and_targets_are_left_alone(submission, rng):
    model, idx = model_of(submission, drawn_state(rng)), torch.tensor([[3, 1, 4]])
    logits, _ = assert_unchanged(model.forward, idx, torch.tensor([[1, -1, 2]]))
    assert_equal(logits, assert_unchanged(model.forward, idx)[0], what="the logits, with targets and without")
