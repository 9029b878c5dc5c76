"""Parameters are held by small modules; all that is computed stands in functions of tensors."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class GPTConfig:
    vocab_size: int
    block_size: int
    n_layer: int
    n_head: int
    d_model: int
    dropout: float = 0.0
    bias: bool = True


class LayerCache:
    def __init__(self):
        self._k = self._v = None

    @property
    def length(self):
        return 0 if self._k is None else self._k.shape[-2]

    def append(self, k, v):
        if self._k is not None:
            k, v = torch.cat([self._k, k], dim=-2), torch.cat([self._v, v], dim=-2)
        self._k, self._v = k, v
        return k, v


class Pair(nn.Module):
    """A weight and, maybe, a bias: nothing is computed here."""

    def __init__(self, *shape, bias, start):
        super().__init__()
        self.weight = nn.Parameter(start(*shape))
        self.bias = nn.Parameter(torch.zeros(shape[0])) if bias else None


def affine(x, pair):
    return F.linear(x, pair.weight, pair.bias)


def normalise(x, weight, bias, eps):
    if x.shape[-1:] != weight.shape:
        raise ValueError("wrong width")
    moments = torch.stack([x, x * x]).mean(dim=-1, keepdim=True)
    mu = moments[0]
    var = ((x - mu) ** 2).mean(dim=-1, keepdim=True)
    y = (x - mu).div((var + eps).sqrt()).mul(weight)
    return y if bias is None else y.add(bias)


def gelu(x):
    inner = math.sqrt(2 / math.pi) * torch.addcmul(x, x * x, x, value=0.044715)
    return x.mul(0.5).mul(inner.tanh().add(1))


def split_heads(x, n_head):
    if x.ndim != 3 or n_head < 1 or x.shape[2] % n_head:
        raise ValueError("no such heads")
    return x.unflatten(2, (n_head, x.shape[2] // n_head)).movedim(2, 1)


def merge_heads(x):
    if x.ndim != 4:
        raise ValueError("four axes are needed")
    return x.movedim(1, 2).flatten(-2)


def attend(q, k, v, p, training):
    T_q, T_k = q.shape[-2], k.shape[-2]
    S = torch.matmul(q / math.sqrt(q.shape[-1]), k.mT)
    future = torch.ones_like(S, dtype=torch.bool).triu(T_k - T_q + 1)
    S = torch.where(future, torch.finfo(S.dtype).min, S)
    E = torch.exp(S - S.amax(dim=-1, keepdim=True))
    return F.dropout(E / E.sum(dim=-1, keepdim=True), p, training) @ v


class LayerNorm(Pair):
    def __init__(self, d, eps=1e-5, bias=True):
        super().__init__(d, bias=bias, start=torch.ones)
        self.eps = eps

    def forward(self, x):
        return normalise(x, self.weight, self.bias, self.eps)


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        split_heads(torch.empty(0, 0, config.d_model), config.n_head)
        self.config = config
        self.c_attn = Pair(3 * config.d_model, config.d_model, bias=config.bias, start=torch.randn)
        self.c_proj = Pair(config.d_model, config.d_model, bias=config.bias, start=torch.randn)

    def forward(self, x, cache=None):
        H, p = self.config.n_head, self.config.dropout
        q, k, v = (split_heads(part, H) for part in affine(x, self.c_attn).tensor_split(3, dim=-1))
        if cache is not None:
            k, v = cache.append(k, v)
        Z = attend(q, k, v, p, self.training)
        return F.dropout(affine(merge_heads(Z), self.c_proj), p, self.training)


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.p = config.dropout
        self.c_fc = Pair(4 * config.d_model, config.d_model, bias=config.bias, start=torch.randn)
        self.c_proj = Pair(config.d_model, 4 * config.d_model, bias=config.bias, start=torch.randn)

    def forward(self, x):
        return F.dropout(affine(gelu(affine(x, self.c_fc)), self.c_proj), self.p, self.training)


class Block(nn.Module):
    """Has its parts, but calls none of them as a module."""

    def __init__(self, config):
        super().__init__()
        self.ln_1, self.attn = LayerNorm(config.d_model, bias=config.bias), CausalSelfAttention(config)
        self.ln_2, self.mlp = LayerNorm(config.d_model, bias=config.bias), MLP(config)

    def forward(self, x, cache=None):
        y = torch.add(x, self.attn.forward(self.ln_1.forward(x), cache))
        return torch.add(y, self.mlp.forward(self.ln_2.forward(y)))
