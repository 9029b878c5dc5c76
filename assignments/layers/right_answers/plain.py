"""As most would write it, with nn.Linear, nn.Dropout and a mask in a buffer that is not saved."""

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


class LayerNorm(nn.Module):
    def __init__(self, d, eps=1e-5, bias=True):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))
        if bias:
            self.bias = nn.Parameter(torch.zeros(d))
        else:
            self.register_parameter("bias", None)

    def forward(self, x):
        if x.size(-1) != self.weight.numel():
            raise ValueError("wrong width")
        var, mean = torch.var_mean(x, dim=-1, unbiased=False, keepdim=True)
        out = (x - mean) * torch.rsqrt(var + self.eps) * self.weight
        return out if self.bias is None else out + self.bias


def gelu(x):
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


def split_heads(x, n_head):
    B, T, d = x.size()
    if n_head <= 0 or d % n_head != 0:
        raise ValueError("d must be divisible by n_head")
    return x.reshape(B, T, n_head, d // n_head).permute(0, 2, 1, 3)


def merge_heads(x):
    B, H, T, d_head = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d_head)


class CausalSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.d_model % config.n_head != 0:
            raise ValueError("d_model must be divisible by n_head")
        self.n_head, self.n_embd = config.n_head, config.d_model
        self.c_attn = nn.Linear(config.d_model, 3 * config.d_model, bias=config.bias)
        self.c_proj = nn.Linear(config.d_model, config.d_model, bias=config.bias)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        mask = torch.tril(torch.ones(config.block_size, config.block_size, dtype=torch.bool))
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x, cache=None):
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (split_heads(t, self.n_head) for t in (q, k, v))
        past = cache.length if cache is not None else 0
        if cache is not None:
            k, v = cache.append(k, v)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        mask = self.mask[past : past + q.size(2), : k.size(2)].to(torch.bool)
        att = att.masked_fill(mask.logical_not(), float("-inf"))
        att = self.attn_dropout(F.softmax(att, dim=-1))
        return self.resid_dropout(self.c_proj(merge_heads(att @ v)))


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.c_fc = nn.Linear(config.d_model, 4 * config.d_model, bias=config.bias)
        self.c_proj = nn.Linear(4 * config.d_model, config.d_model, bias=config.bias)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        x = self.c_fc(x)
        x = gelu(x)
        x = self.c_proj(x)
        return self.dropout(x)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1 = LayerNorm(config.d_model, bias=config.bias)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = LayerNorm(config.d_model, bias=config.bias)
        self.mlp = MLP(config)

    def forward(self, x, cache=None):
        x = x + self.attn(self.ln_1(x), cache)
        x = x + self.mlp(self.ln_2(x))
        return x  # noqa: RET504  # as many write it
