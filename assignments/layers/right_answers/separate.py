"""q, k and v come from three products, each with its third of the fused weight; a finite fill hides the future."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from dataclasses import dataclass
from functools import partial

import torch
from torch import nn


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


class LayerNorm(nn.Module):
    def __init__(self, d, eps=1e-5, bias=True):
        super().__init__()
        self.width, self.eps = (d,), eps
        self.register_parameter("weight", nn.Parameter(torch.ones(self.width)))
        self.register_parameter("bias", nn.Parameter(torch.zeros(self.width)) if bias else None)

    def forward(self, x):
        if tuple(x.shape[-1:]) != self.width:
            raise ValueError("wrong width")
        mean, square = x.mean(-1, keepdim=True), x.std(-1, correction=0, keepdim=True).square()
        if not bool((square > 0).all()):  # the slope of a root at 0 is infinite
            square = (x - mean).pow(2).mean(-1, keepdim=True)
        y = (x - mean) / (square + self.eps).sqrt() * self.weight
        return y if self.bias is None else y + self.bias


def gelu(x):
    return torch.lerp(torch.zeros_like(x), x, (1 + torch.tanh((2 / torch.pi) ** 0.5 * x * (1 + 0.044715 * x**2))) / 2)


def split_heads(x, n_head):
    B, T, d = x.shape
    if n_head < 1 or d % n_head:
        raise ValueError("no such heads")
    return x.swapaxes(1, 2).reshape(B, n_head, d // n_head, T).swapaxes(2, 3)


def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.swapaxes(2, 3).reshape(B, H * d_head, T).swapaxes(1, 2)


class Fused(nn.Module):
    """Three projections that are one to whoever saves, loads or differentiates."""

    def __init__(self, d, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3 * d, d) / d**0.5)
        self.bias = nn.Parameter(torch.zeros(3 * d)) if bias else None
        self.d = d

    def third(self, x, at):
        rows = slice(at * self.d, (at + 1) * self.d)
        y = x @ self.weight[rows].T
        return y if self.bias is None else y + self.bias[rows]


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.d_model % config.n_head:
            raise ValueError("no such heads")
        self.n_head = config.n_head
        self.c_attn = Fused(config.d_model, config.bias)
        self.c_proj = nn.Linear(config.d_model, config.d_model, bias=config.bias)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, x, cache=None):
        query, key, value = (partial(self.c_attn.third, at=at) for at in range(3))
        q, k, v = (split_heads(made(x), self.n_head) for made in (query, key, value))
        if cache is not None:
            k, v = cache.append(k, v)
        S = (q @ k.transpose(2, 3)) / torch.tensor(q.shape[3], dtype=x.dtype).sqrt()
        T_q, T_k = S.shape[2:]
        seen = torch.arange(T_k).expand(T_q, T_k) <= torch.arange(T_k - T_q, T_k).unsqueeze(1)
        A = torch.exp(torch.log_softmax(torch.where(seen, S, -1e9), dim=3))
        return self.drop(self.c_proj(merge_heads(self.drop(A) @ v)))


class MLP(nn.Sequential):
    def __init__(self, config):
        super().__init__()
        self.add_module("c_fc", nn.Linear(config.d_model, 4 * config.d_model, bias=config.bias))
        self.add_module("c_proj", nn.Linear(4 * config.d_model, config.d_model, bias=config.bias))
        self.add_module("drop", nn.Dropout(config.dropout))

    def forward(self, x):
        c_fc, c_proj, drop = self
        return drop(c_proj(gelu(c_fc(x))))


class Block(nn.ModuleDict):
    def __init__(self, config):
        norm = partial(LayerNorm, config.d_model, bias=config.bias)
        super().__init__({"ln_1": norm(), "attn": CausalSelfAttention(config), "ln_2": norm(), "mlp": MLP(config)})

    def forward(self, x, cache=None):
        for norm, branch, more in (("ln_1", "attn", (cache,)), ("ln_2", "mlp", ())):
            x = x + self[branch](self[norm](x), *more)
        return x
