"""What the reference of `layers` promises: against torch, against the NumPy attention, and by perturbing inputs."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch.nn import functional as F

import attention
import layers as ref

torch.set_num_threads(1)  # sums this small lose more than they gain by threads

CONFIG = ref.GPTConfig(vocab_size=11, block_size=13, n_layer=2, n_head=3, d_model=21)
B, T, H, d = 2, 5, 3, 21


def random(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def filled(module, dtype=torch.float64):
    """Give every parameter, biases and norms too, numbers of its own."""
    for seed, parameter in enumerate(module.parameters()):
        parameter.data = 0.5 * random(*parameter.shape, seed=seed, dtype=dtype)
    return module


def with_config(**changes):
    return dataclasses.replace(CONFIG, **changes)


# LayerNorm


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_is_torchs(eps):
    norm, x = filled(ref.LayerNorm(7, eps)), random(B, T, 7)
    expected = F.layer_norm(x, (7,), norm.weight, norm.bias, eps)
    torch.testing.assert_close(norm(x), expected, rtol=0, atol=1e-12)


def test_a_new_layer_norm_only_normalises():
    x = random(4, 6)
    y = ref.LayerNorm(6).double()(x)
    torch.testing.assert_close(y.mean(-1), torch.zeros(4, dtype=x.dtype), rtol=0, atol=1e-12)
    torch.testing.assert_close(y.var(-1, unbiased=False), torch.ones(4, dtype=x.dtype), rtol=0, atol=1e-3)


def test_a_constant_row_comes_out_as_the_bias_with_a_finite_gradient():
    norm, x = filled(ref.LayerNorm(6)), torch.full((2, 6), 3.0, dtype=torch.float64, requires_grad=True)
    y = norm(x)
    torch.testing.assert_close(y, norm.bias.expand(2, 6), rtol=0, atol=0)
    y.square().sum().backward()
    assert x.grad.isfinite().all()


def test_without_bias_there_is_none():
    assert list(ref.LayerNorm(6, bias=False).state_dict()) == ["weight"]
    x = random(2, 6)
    torch.testing.assert_close(ref.LayerNorm(6, bias=False).double()(x), F.layer_norm(x, (6,)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("width", [1, 5, 7])
def test_rows_of_another_width_are_refused(width):
    with pytest.raises(ValueError, match=r"do not fit \[... d\] and \[d\]"):
        ref.LayerNorm(6)(torch.ones(2, width))


# gelu


def test_gelu_is_torchs_tanh_form_and_not_the_exact_one():
    x = torch.linspace(-6, 6, 1201, dtype=torch.float64)
    torch.testing.assert_close(ref.gelu(x), F.gelu(x, approximate="tanh"), rtol=0, atol=1e-14)
    assert (ref.gelu(x) - F.gelu(x)).abs().max() > 4e-4


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_gelu_keeps_the_dtype_and_is_differentiable(dtype):
    assert ref.gelu(torch.ones(2, dtype=dtype)).dtype == dtype
    assert torch.autograd.gradcheck(ref.gelu, random(5).requires_grad_())


# split_heads, merge_heads


def test_head_h_of_a_token_is_its_hth_slice():
    x = random(B, T, d)
    heads = ref.split_heads(x, H)
    assert heads.shape == (B, H, T, 7)
    for h in range(H):
        assert torch.equal(heads[:, h], x[:, :, 7 * h : 7 * h + 7])


def test_merging_undoes_splitting():
    x = random(B, T, d)
    assert torch.equal(ref.merge_heads(ref.split_heads(x, H)), x)
    turned = random(d, T, B).transpose(0, 2)
    assert torch.equal(ref.merge_heads(ref.split_heads(turned, H)), turned)


@pytest.mark.parametrize("n_head", [2, 0, -3, 42])
def test_a_width_that_does_not_divide_is_refused(n_head):
    with pytest.raises(ValueError, match=f"21 does not divide into {n_head} heads"):
        ref.split_heads(torch.ones(B, T, d), n_head)
    with pytest.raises(ValueError, match=f"21 does not divide into {n_head} heads"):
        ref.CausalSelfAttention(with_config(n_head=n_head))


def test_wrong_axes_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        ref.split_heads(torch.ones(T, d), H)
    with pytest.raises(ValueError, match="do not fit"):
        ref.merge_heads(torch.ones(B, T, d))


# CausalSelfAttention


def test_attention_is_the_numpy_reference_with_its_matrices_transposed():
    layer, x = filled(ref.CausalSelfAttention(with_config(bias=False))), random(B, T, d)
    W_q, W_k, W_v = (W.T.numpy() for W in layer.c_attn.weight.detach().chunk(3))
    expected = attention.multi_head_attention(x.numpy(), W_q, W_k, W_v, layer.c_proj.weight.detach().T.numpy(), H)
    torch.testing.assert_close(layer(x).detach(), torch.from_numpy(expected), rtol=0, atol=1e-12)


def test_attention_with_biases_is_torchs():
    layer, x = filled(ref.CausalSelfAttention(CONFIG)), random(B, T, d)
    q, k, v = (p.unflatten(-1, (H, 7)).transpose(1, 2) for p in layer.c_attn(x).split(d, dim=-1))
    Z = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, d)
    torch.testing.assert_close(layer(x), layer.c_proj(Z), rtol=0, atol=1e-12)


@pytest.mark.parametrize("build", [ref.CausalSelfAttention, ref.Block])
def test_a_token_reaches_itself_and_every_later_one_and_no_earlier_one(build):
    layer, x = filled(build(CONFIG)), random(1, T, d)
    for t in range(T):
        changed = x.clone()
        changed[:, t] += random(d, seed=9)
        moved = (layer(changed) - layer(x)).abs().amax(-1)[0]
        assert (moved[:t] == 0).all()
        assert (moved[t:] > 1e-6).all()


@pytest.mark.parametrize("build", [ref.CausalSelfAttention, ref.Block])
def test_sequences_of_a_batch_do_not_meet(build):
    layer, x = filled(build(CONFIG)), random(3, T, d)
    torch.testing.assert_close(layer(x)[1:2], layer(x[1:2]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("build", [ref.CausalSelfAttention, ref.Block])
@pytest.mark.parametrize("chunks", [(2, 3, 1), (1,) * 6, (6,), (5, 1)])
def test_chunks_through_a_cache_give_the_whole(build, chunks):
    layer, x, cache = filled(build(CONFIG)), random(B, 6, d), ref.LayerCache()
    outputs = [layer(chunk, cache) for chunk in x.split(chunks, dim=1)]
    torch.testing.assert_close(torch.cat(outputs, dim=1), layer(x), rtol=0, atol=1e-12)
    assert cache.length == 6


def test_in_training_a_weight_is_dropped_whole_and_an_output_by_entry():
    layer = ref.CausalSelfAttention(with_config(dropout=0.5, bias=False, n_head=3))
    layer.c_attn.weight.data = torch.cat([torch.zeros(2 * d, d), torch.eye(d)])
    layer.c_proj.weight.data = torch.eye(d)
    torch.manual_seed(0)
    # A single token attends to itself with weight 1, so that its output is its input, times 2 for each dropout passed.
    heads = layer(torch.ones(400, 1, d)).view(400, H, 7)
    assert set(heads.unique().tolist()) == {0.0, 4.0}
    alive = heads.any(-1)  # an output of 7 entries is dropped whole with probability 2^-7
    assert 0.4 < alive.double().mean() < 0.6
    assert 0.45 < (heads[alive] > 0).double().mean() < 0.56
    assert torch.equal(layer.eval()(torch.ones(4, 1, d)), torch.ones(4, 1, d))


# LayerCache


def test_a_cache_keeps_what_it_was_given_and_refuses_what_does_not_fit():
    cache, k, v = ref.LayerCache(), random(B, H, 2, 7), random(B, H, 2, 7, seed=1)
    assert cache.length == 0
    cache.append(k, v)
    both_k, both_v = cache.append(2 * k, 2 * v)
    assert torch.equal(both_k, torch.cat([k, 2 * k], dim=2))
    assert torch.equal(both_v, torch.cat([v, 2 * v], dim=2))
    with pytest.raises(ValueError, match="do not fit"):
        cache.append(k, v[:, :, :1])
    with pytest.raises(RuntimeError):
        cache.append(k[:1], v[:1])
    assert cache.length == 4


# MLP and Block


def test_the_mlp_widens_by_four():
    mlp, x = filled(ref.MLP(CONFIG)), random(B, T, d)
    assert mlp.c_fc.weight.shape == (84, 21)
    expected = mlp.c_proj(F.gelu(mlp.c_fc(x), approximate="tanh"))
    torch.testing.assert_close(mlp(x), expected, rtol=0, atol=1e-12)


def test_the_mlps_output_is_dropped_in_training_only():
    mlp = filled(ref.MLP(with_config(dropout=0.5)))
    x = random(50, T, d)
    torch.manual_seed(0)
    y = mlp.train()(x)
    kept = y != 0
    assert 0.45 < kept.double().mean() < 0.55
    torch.testing.assert_close(y[kept], 2 * mlp.eval()(x)[kept])


def test_a_block_whose_projections_are_zero_changes_nothing():
    block, x = filled(ref.Block(CONFIG)), random(B, T, d)
    for layer in (block.attn.c_proj, block.mlp.c_proj):
        layer.weight.data.zero_()
        layer.bias.data.zero_()
    assert torch.equal(block(x), x)


def test_a_block_normalises_before_each_part_and_adds_what_the_part_gives():
    block, x = filled(ref.Block(CONFIG)), random(B, T, d)
    h = x + block.attn(F.layer_norm(x, (d,), block.ln_1.weight, block.ln_1.bias))
    expected = h + block.mlp(F.layer_norm(h, (d,), block.ln_2.weight, block.ln_2.bias))
    torch.testing.assert_close(block(x), expected, rtol=0, atol=1e-12)


def test_the_names_and_shapes_are_gpt2s():
    shapes = {name: tuple(p.shape) for name, p in ref.Block(CONFIG).state_dict().items()}
    assert shapes == {
        "ln_1.weight": (21,),
        "ln_1.bias": (21,),
        "attn.c_attn.weight": (63, 21),
        "attn.c_attn.bias": (63,),
        "attn.c_proj.weight": (21, 21),
        "attn.c_proj.bias": (21,),
        "ln_2.weight": (21,),
        "ln_2.bias": (21,),
        "mlp.c_fc.weight": (84, 21),
        "mlp.c_fc.bias": (84,),
        "mlp.c_proj.weight": (21, 84),
        "mlp.c_proj.bias": (21,),
    }
    assert not [name for name in ref.Block(with_config(bias=False)).state_dict() if "bias" in name]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_block_computes_in_the_dtype_of_its_input_and_every_parameter_learns(dtype):
    block, x = filled(ref.Block(CONFIG), dtype), random(B, T, d, dtype=torch.float64).to(dtype).requires_grad_()
    kept = x.detach().clone()
    y = block(x)
    assert y.dtype == dtype
    y.square().sum().backward()
    assert torch.equal(x, kept)
    assert x.grad.any()
    assert all(p.grad.any() for p in block.parameters())
