"""What the reference of `gpt2` promises: published counts, names and logits, and a first loss near ln V."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional as F

import gpt2 as ref
import layers

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

CONFIG = layers.GPTConfig(vocab_size=11, block_size=7, n_layer=2, n_head=3, d_model=15)
V, B, T = 11, 2, 6


def model(seed=0, config=CONFIG):
    """A model in float64 with numbers large enough to tell mistakes apart."""
    generator = torch.Generator().manual_seed(seed)
    gpt = ref.GPT(config).double()
    for parameter in gpt.parameters():
        parameter.data = 0.5 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    return gpt.eval()


def tokens(*shape, seed=0):
    return torch.randint(V, shape, generator=torch.Generator().manual_seed(seed))


def count(gpt):
    return sum(parameter.numel() for parameter in gpt.parameters())


# Sizes


@pytest.mark.parametrize(
    ("name", "expected"),
    [("gpt2", 124_439_808), ("gpt2-medium", 354_823_168), ("gpt2-large", 774_030_080), ("gpt2-xl", 1_557_611_200)],
)
def test_gpt2s_sizes_have_the_published_number_of_parameters(name, expected):
    with torch.device("meta"):
        assert count(ref.from_preset(name)) == expected


@pytest.mark.parametrize(("name", "expected"), [("femto", 336), ("pico", 2_316), ("nano", 91_104)])
def test_the_small_sizes_take_a_vocabulary_and_a_length(name, expected):
    gpt = ref.from_preset(name, vocab_size=65, block_size=64)
    assert count(gpt) == expected
    assert gpt.config.vocab_size == 65


def test_a_preset_can_be_overridden():
    config = ref.from_preset("pico", vocab_size=11, block_size=5, n_layer=1, dropout=0.1, bias=False).config
    assert config == layers.GPTConfig(11, 5, n_layer=1, n_head=3, d_model=6, dropout=0.1, bias=False)


@pytest.mark.parametrize("given", [{}, {"vocab_size": 5}, {"block_size": 5}])
def test_a_small_size_without_vocabulary_or_length_is_refused(given):
    with pytest.raises(ValueError, match=next(iter({"vocab_size", "block_size"} - given.keys()))):
        ref.from_preset("nano", **given)


def test_a_size_nobody_knows_is_refused_and_a_field_too():
    with pytest.raises(ValueError, match="gpt3"):
        ref.from_preset("gpt3")
    with pytest.raises(TypeError, match="n_embd"):
        ref.from_preset("femto", vocab_size=5, block_size=5, n_embd=2)


# Initialisation


def test_weights_begin_as_the_paper_says_and_the_first_loss_is_near_ln_v():
    torch.manual_seed(0)
    gpt = ref.from_preset("nano", vocab_size=301, block_size=200)
    for name, parameter in gpt.named_parameters():
        if parameter.dim() == 1:
            assert torch.equal(parameter, torch.full_like(parameter, float("ln" in name and "weight" in name))), name
        else:
            std = 0.02 / math.sqrt(6) if "c_proj" in name else 0.02
            assert abs(parameter.std() / std - 1) < 6 / math.sqrt(2 * parameter.numel()), name
            assert abs(parameter.mean() / std) < 6 / math.sqrt(parameter.numel()), name
    idx = torch.randint(301, (4, 200))
    assert abs(gpt(idx, idx.roll(-1, dims=1))[1] - math.log(301)) < 0.05


def test_the_head_is_the_token_embedding():
    gpt = model()
    assert "lm_head.weight" not in dict(gpt.named_parameters())
    gpt.transformer.wte.weight.data *= 2
    assert torch.equal(gpt.lm_head.weight, gpt.transformer.wte.weight)
    assert set(gpt.state_dict()) - {f"transformer.{k}" for k in gpt.transformer.state_dict()} == {"lm_head.weight"}


# forward


def test_logits_are_the_blocks_between_two_embeddings():
    gpt, idx = model(), tokens(B, T)
    x = gpt.transformer.wte.weight[idx] + gpt.transformer.wpe.weight[:T]
    for block in gpt.transformer.h:
        x = block(x)
    x = F.layer_norm(x, (15,), gpt.transformer.ln_f.weight, gpt.transformer.ln_f.bias)
    logits, loss = gpt(idx)
    torch.testing.assert_close(logits, x @ gpt.transformer.wte.weight.T, rtol=0, atol=1e-12)
    assert loss is None


def test_a_token_reaches_its_own_logits_and_every_later_one_and_no_earlier_one():
    gpt, idx = model(), tokens(1, T)
    for t in range(T):
        changed = idx.clone()
        changed[0, t] = (idx[0, t] + 1) % V
        moved = (gpt(changed)[0] - gpt(idx)[0]).abs().amax(-1)[0]
        assert (moved[:t] == 0).all()
        assert (moved[t:] > 1e-9).all()


def test_the_order_of_earlier_tokens_matters():
    gpt = model()
    assert (gpt(torch.tensor([[1, 2, 3]]))[0] - gpt(torch.tensor([[2, 1, 3]]))[0])[0, -1].abs().max() > 1e-3


def test_the_loss_is_the_mean_over_the_targets_that_are_kept():
    gpt, idx, targets = model(), tokens(B, T), tokens(B, T, seed=1)
    targets[0, 2:] = -1
    logits, loss = gpt(idx, targets)
    nll = -logits.log_softmax(-1)
    expected = [nll[b, t, targets[b, t]] for b in range(B) for t in range(T) if targets[b, t] != -1]
    torch.testing.assert_close(loss, torch.stack(expected).mean(), rtol=0, atol=1e-12)
    targets.fill_(-1)
    assert gpt(idx, targets)[1].isnan()


def test_every_parameter_learns():
    gpt = model()
    gpt(tokens(B, 7), tokens(B, 7, seed=1))[1].backward()
    assert all(parameter.grad.any() for parameter in gpt.parameters())


def test_embeddings_are_dropped_in_training_only():
    gpt, seen = ref.GPT(layers.GPTConfig(V, 7, 0, 1, 64, dropout=0.5)), []
    gpt.transformer.ln_f.register_forward_pre_hook(lambda _module, args: seen.append(args[0]))
    torch.manual_seed(0)
    for mode in (True, False):
        gpt.train(mode)(tokens(4, T))
    dropped = seen[0] == 0
    assert 0.44 < dropped.double().mean() < 0.56
    torch.testing.assert_close(seen[0][~dropped], 2 * seen[1][~dropped])
    assert not (seen[1] == 0).any()


@pytest.mark.parametrize("chunks", [(2, 3, 1), (1,) * 6, (5, 1)])
def test_chunks_through_a_cache_give_the_whole(chunks):
    gpt, idx = model(), tokens(B, T)
    cache = [layers.LayerCache() for _ in range(2)]
    logits = torch.cat([gpt(chunk, cache=cache)[0] for chunk in idx.split(chunks, dim=1)], dim=1)
    torch.testing.assert_close(logits, gpt(idx)[0], rtol=0, atol=1e-12)
    assert [layer.length for layer in cache] == [T, T]


def test_more_positions_than_learned_are_refused_and_the_cache_stays():
    gpt = model()
    with pytest.raises(ValueError, match="8 positions are more than the 7"):
        gpt(tokens(1, 8))
    cache = [layers.LayerCache() for _ in range(2)]
    gpt(tokens(1, 5), cache=cache)
    with pytest.raises(ValueError, match="8 positions are more than the 7"):
        gpt(tokens(1, 3), cache=cache)
    assert [layer.length for layer in cache] == [5, 5]


@pytest.mark.parametrize(
    ("idx", "targets", "caches"), [((6,), None, None), ((2, 6), (2, 5), None), ((2, 6), None, 1), ((2, 6), None, 3)]
)
def test_what_does_not_fit_is_refused(idx, targets, caches):
    with pytest.raises(ValueError, match=r"do not fit|caches"):
        model()(tokens(*idx), targets and tokens(*targets), caches and [layers.LayerCache() for _ in range(caches)])


@pytest.mark.parametrize("number", [0, 1, 3])
def test_another_number_of_caches_is_refused_before_any_is_filled(number):
    cache = [layers.LayerCache() for _ in range(number)]
    with pytest.raises(ValueError, match="2 blocks need as many caches"):
        model()(tokens(1, 3), cache=cache)
    assert [layer.length for layer in cache] == [0] * number


def test_tokens_out_of_range_are_refused():
    for idx, targets in (([[V]], None), ([[-1]], None), ([[0]], [[V]]), ([[0]], [[-2]])):
        with pytest.raises(IndexError):
            model()(torch.tensor(idx), None if targets is None else torch.tensor(targets))


# load_gpt2_state_dict

CONV1D = ("c_attn.weight", "c_proj.weight", "c_fc.weight")


def published(gpt):
    """The weights of a model as the bare transformer is published: [in, out], no prefix, no head, with masks."""
    state = {key: value.T if key.endswith(CONV1D) else value for key, value in gpt.transformer.state_dict().items()}
    masks = {f"h.{i}.attn.bias": torch.ones(1, 1, 7, 7).tril() for i in range(2)}
    return {**state, **masks, "h.0.attn.masked_bias": torch.tensor(-1e4)}


@pytest.mark.parametrize("language_model", [False, True])
def test_published_weights_give_the_same_logits(language_model):
    ours, theirs, idx = model(seed=1), model(seed=2), tokens(B, T)
    state = published(theirs)
    if language_model:
        state = {f"transformer.{key}": value for key, value in state.items()}
        state["lm_head.weight"] = state["transformer.wte.weight"].clone()
    ours.load_gpt2_state_dict(state)
    assert torch.equal(ours(idx)[0], theirs(idx)[0])
    theirs.transformer.wte.weight.data.zero_()
    assert ours.transformer.wte.weight.any()


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("wte.weight", None, RuntimeError),
        ("h.1.mlp.c_fc.bias", None, RuntimeError),
        ("h.2.ln_1.weight", torch.ones(15), RuntimeError),
        ("h.0.mlp.c_fc.weight", torch.ones(60, 15), RuntimeError),
        ("lm_head.weight", torch.ones(V, 15), ValueError),
    ],
)
def test_weights_of_another_model_are_refused(key, value, error):
    state = {**published(model()), key: value}
    with pytest.raises(error, match=key.replace("lm_head.weight", "one tensor")):
        model().load_gpt2_state_dict({k: v for k, v in state.items() if v is not None})
