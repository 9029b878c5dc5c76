"""What the reference of `interpret` promises: maps as the model uses them, ablations as if done by hand."""

from __future__ import annotations

import copy
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import attention
import interpret as ref
from gpt2 import GPT
from layers import GPTConfig

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

V, L, H, d, T = 11, 2, 3, 15, 6


def gpt(dropout=0.0):
    model = GPT(GPTConfig(V, 7, L, H, d, dropout=dropout)).double()
    for seed, parameter in enumerate(model.parameters()):
        parameter.data = 0.5 * random(*parameter.shape, seed=seed)
    model.transformer.wte.weight.data *= 4  # or the biases would predict the same token after any other
    return model


def random(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def weights(*shape, seed=0):
    return random(*shape, seed=seed).softmax(-1)


IDX = torch.tensor([2, 1, 6, 1, 8, 0])


def traces(model):
    """What running a model may leave behind: modes, hooks and gradients."""
    return [
        (module.training, len(module._forward_hooks), len(module._forward_pre_hooks)) for module in model.modules()
    ] + [parameter.grad is None for parameter in model.parameters()]


# attention_maps


def test_maps_are_the_weights_that_each_head_computes():
    model = gpt()
    x, maps = model.transformer.wte(IDX) + model.transformer.wpe.weight[:T], ref.attention_maps(model, IDX)
    assert maps.shape == (L, H, T, T)
    for layer, block in enumerate(model.transformer.h):
        q, k, _ = block.attn.c_attn(block.ln_1(x)).detach().split(d, dim=-1)
        for head in range(H):
            columns = slice(5 * head, 5 * head + 5)
            A = attention.attention_weights(
                q[:, columns].numpy(), k[:, columns].numpy(), torch.ones(T, T).tril().bool().numpy()
            )
            torch.testing.assert_close(maps[layer, head].detach(), torch.from_numpy(A), rtol=0, atol=1e-12)
        x = block(x[None])[0]


def test_maps_are_causal_distributions_whatever_the_dropout():
    model = gpt(dropout=0.5)
    model.transformer.h[1].eval()
    before, maps = traces(model), ref.attention_maps(model, IDX)
    torch.testing.assert_close(maps.sum(-1), torch.ones(L, H, T, dtype=maps.dtype))
    assert torch.equal(maps, maps.tril())
    assert torch.equal(maps, ref.attention_maps(model, IDX))
    assert traces(model) == before


def test_a_run_that_fails_leaves_no_trace():
    model = gpt(dropout=0.5)
    before = traces(model)
    too_long = torch.zeros(8, dtype=torch.int64)
    for look in (
        lambda: ref.attention_maps(model, too_long),
        lambda: ref.head_ablation(model, torch.zeros(9, dtype=torch.int64), 0, 0),
        lambda: ref.token_ablation(model, too_long, 0),
    ):
        with pytest.raises(ValueError, match="positions are more than"):
            look()
    assert traces(model) == before


def test_more_than_one_sequence_is_refused():
    for look in (
        lambda idx: ref.attention_maps(gpt(), idx),
        lambda idx: ref.head_ablation(gpt(), idx, 0, 0),
        lambda idx: ref.token_ablation(gpt(), idx, 0),
    ):
        with pytest.raises(ValueError, match=r"do not fit \[T\]"):
            look(IDX[None])


# rollout


def test_rollout_multiplies_half_mean_heads_and_half_identities_the_last_leftmost():
    first = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0]]])  # mean [[1, 0], [.5, .5]]
    last = torch.tensor([[[0.0, 1.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]])
    assert ref.rollout(first[None]).tolist() == [[1, 0], [0.25, 0.75]]
    # The last layer gives the rows (.5, .5) and (0, 1), and stands left of (1, 0) and (.25, .75).
    assert ref.rollout(torch.stack([first, last])).tolist() == [[0.625, 0.375], [0.25, 0.75]]


def test_the_rollout_of_a_model_is_causal_and_its_rows_sum_to_1():
    R = ref.rollout(ref.attention_maps(gpt(), IDX))
    torch.testing.assert_close(R.sum(-1), torch.ones(T, dtype=R.dtype))
    assert torch.equal(R, R.tril())


@pytest.mark.parametrize("shape", [(H, T, T), (L, H, T, T + 1)])
def test_maps_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="do not fit"):
        ref.rollout(torch.ones(shape))


# head_ablation


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 0), (1, 2)])
def test_a_head_is_ablated_as_if_nothing_read_it(layer, head):
    model, deaf = gpt(dropout=0.5), gpt().eval()
    deaf.transformer.h[layer].attn.c_proj.weight.data[:, 5 * head : 5 * head + 5] = 0
    intact, ablated = (m(IDX[None, :-1], IDX[None, 1:])[1].item() for m in (copy.deepcopy(model).eval(), deaf))
    before, state = traces(model), copy.deepcopy(model.state_dict())
    assert ref.head_ablation(model, IDX, layer, head) == pytest.approx(ablated - intact, abs=1e-12)
    assert abs(ablated - intact) > 1e-3
    assert traces(model) == before
    assert all(torch.equal(state[name], value) for name, value in model.state_dict().items())


@pytest.mark.parametrize(("layer", "head"), [(2, 0), (-1, 0), (0, 3), (0, -1)])
def test_a_head_that_is_not_there_is_refused(layer, head):
    with pytest.raises(ValueError, match=f"no head {head} in layer {layer}"):
        ref.head_ablation(gpt(), IDX, layer, head)


def test_a_single_token_has_no_loss():
    with pytest.raises(ValueError, match="two tokens are needed"):
        ref.head_ablation(gpt(), IDX[:1], 0, 0)


# token_ablation


def test_each_token_is_blanked_alone_and_the_intact_prediction_watched():
    model = gpt(dropout=0.5)
    before, effects = traces(model), ref.token_ablation(model, IDX, blank_id=1)
    assert traces(model) == before
    model.eval()
    intact, tops = model(IDX[None])[0][0, -1], set()
    for j in range(T):
        blanked = IDX.clone()
        blanked[j] = 1
        logits = model(blanked[None])[0][0, -1]
        tops.add(int(logits.argmax()))
        torch.testing.assert_close(effects[j], logits[intact.argmax()] - intact.max(), rtol=0, atol=1e-12)
    assert len(tops) > 1  # or it could not be told whether the same token is watched
    assert (effects.abs() > 1e-6).tolist() == [True, False, True, False, True, True]  # two are blank already
    assert IDX.tolist() == [2, 1, 6, 1, 8, 0]


def test_no_token_or_no_blank_is_refused():
    with pytest.raises(ValueError, match="without a token"):
        ref.token_ablation(gpt(), IDX[:0], 1)
    with pytest.raises(IndexError):
        ref.token_ablation(gpt(), IDX, V)


# agreement


@pytest.mark.parametrize(
    ("weights", "effects", "expected"),
    [
        ([0.1, 0.2, 0.7], [1.0, 5.0, 900.0], 1.0),
        ([0.1, 0.2, 0.7], [3.0, 2.0, 1.0], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 1 - 6 * 4 / (5 * 24)),
        ([1, 2, 2, 3], [1, 2, 3, 4], math.sqrt(0.9)),
        ([0, 0, 1], [1, 0, 0], -0.5),
        ([-math.inf, 0.0, math.inf], [1, 2, 3], 1.0),
    ],
)
def test_agreement_is_the_correlation_of_ranks_ties_averaged(weights, effects, expected):
    assert ref.agreement(torch.tensor(weights), torch.tensor(effects)) == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_agreement_looks_at_nothing_but_the_order(a, b):
    a, b = torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64)
    rho = ref.agreement(a, b)
    assert rho == pytest.approx(1 - 6 * float((a - b).square().sum()) / (6 * 35))
    assert ref.agreement(b, a.exp()) == pytest.approx(rho)
    assert ref.agreement(-a, b) == pytest.approx(-rho)


@pytest.mark.parametrize(
    ("weights", "effects"), [([1.0, 1.0], [1.0, 2.0]), ([1.0, 2.0], [0.0, 0.0]), ([1.0], [1.0]), ([], [])]
)
def test_what_has_no_order_is_refused(weights, effects):
    with pytest.raises(ValueError, match="all equal"):
        ref.agreement(torch.tensor(weights), torch.tensor(effects))


def test_unequal_lengths_and_nan_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        ref.agreement(torch.ones(2), torch.ones(3))
    with pytest.raises(ValueError, match="NaN"):
        ref.agreement(torch.tensor([1.0, math.nan]), torch.tensor([1.0, 2.0]))


# same_output_weights


def require_other_weights_with_the_same_output(A, values, atol=1e-12):
    kept, others = A.clone(), ref.same_output_weights(A, values)
    assert torch.equal(A, kept)
    assert others.dtype == A.dtype
    assert ((others - A).abs().amax(-1) > 1e-6).all()
    assert (others >= 0).all()
    torch.testing.assert_close(others.sum(-1), torch.ones_like(A[:, 0]), rtol=0, atol=atol)
    torch.testing.assert_close(others @ values, A @ values, rtol=0, atol=atol)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_with_more_keys_than_values_need_every_row_has_another_with_the_same_output(T_q, d_v, more, seed):
    require_other_weights_with_the_same_output(
        weights(T_q, d_v + more, seed=seed), random(d_v + more, d_v, seed=seed + 1)
    )


def test_a_row_that_is_nearly_sure_has_another_too():
    A = torch.tensor([[8.0, 0, 0, 0, 0], [0, 0, 0, 0, 8.0]], dtype=torch.float64).softmax(-1)
    require_other_weights_with_the_same_output(A, random(5, 2))


def test_float32_stays_float32():
    require_other_weights_with_the_same_output(weights(3, 6).float(), random(6, 3).float(), atol=1e-6)


def test_a_mistaken_copy_of_a_value_is_direction_enough():
    values = random(3, 5)
    values[2] = values[0]
    require_other_weights_with_the_same_output(weights(2, 3), values)


@pytest.mark.parametrize("shape", [(3, 2), (3, 7), (1, 1)])
def test_without_a_null_direction_it_is_refused(shape):
    with pytest.raises(ValueError, match="no change of weights"):
        ref.same_output_weights(weights(2, shape[0]), random(*shape))


def test_weights_that_have_nothing_to_give_are_refused():
    with pytest.raises(ValueError, match="strictly positive"):
        ref.same_output_weights(torch.tensor([[1.0, 0.0, 0.0]]), torch.ones(3, 1))
    with pytest.raises(ValueError, match="cannot differ"):
        ref.same_output_weights(torch.tensor([[1.0, 1e-9, 1e-9]]), torch.tensor([[0.0], [1.0], [1.0]]))
    with pytest.raises(ValueError, match="do not fit"):
        ref.same_output_weights(weights(2, 3), random(4, 1))
