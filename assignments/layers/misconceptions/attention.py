"""What goes wrong in the exercise layers.causalselfattention."""

from __future__ import annotations

import math

import torch
from torch import nn

from grader.testing import variant
from misconceptions.shared import Affine, about_attention, divided

# --- All heads at once: each keyword is a part, and a mistake passes another --------------------------------------


def side_by_side(P):
    return P.chunk(3, dim=-1)


def cut(x, H):
    return x.unflatten(-1, (H, -1)).transpose(1, 2)


def joined(Z):
    return Z.transpose(1, 2).flatten(2)


def scaled(q, k):
    return q @ k.mT / math.sqrt(q.shape[-1])


def last_queries(T_q, T_k, cached):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril(T_k - T_q)


def shares(S, mask):
    return S.masked_fill(~mask, -math.inf).softmax(dim=-1)


def kept(cache, k, v):
    return (k, v) if cache is None else cache.append(k, v)


class AtOnce(nn.Module):
    """Right but for the parts that are passed."""

    def __init__(
        self,
        config,
        *,
        read=side_by_side,
        split=cut,
        join=joined,
        score=scaled,
        sees=last_queries,
        weigh=shares,
        keep=kept,
        drop=(nn.Dropout, nn.Dropout),
        dropped=lambda drop, A, v: drop(A) @ v,
        project=lambda linear, Z: linear(Z),
        n_head=None,
        bias=None,
        check=divided,
    ):
        super().__init__()
        check(config)
        d, bias = config.d_model, config.bias if bias is None else bias
        self.n_head = n_head or config.n_head
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d, bias=bias), nn.Linear(d, d, bias=bias)
        self.attn_dropout, self.resid_dropout = (made(config.dropout) for made in drop)
        self.read, self.split, self.join, self.score, self.sees = read, split, join, score, sees
        self.weigh, self.keep, self.dropped, self.project = weigh, keep, dropped, project

    def forward(self, x, cache=None):
        q, k, v = (self.split(part, self.n_head) for part in self.read(self.c_attn(x)))
        k, v = self.keep(cache, k, v)
        mask = self.sees(q.shape[-2], k.shape[-2], cache is not None)
        Z = self.dropped(self.attn_dropout, self.weigh(self.score(q, k), mask), v)
        return self.resid_dropout(self.project(self.c_proj, self.join(Z)))


# --- A head at a time, with other words for everything ------------------------------------------------------------


def own_columns(part, h, H, d):
    """Where head h finds its q (part 0), k (1) or v (2) in the fused output."""
    width = d // H
    return slice(part * d + h * width, part * d + (h + 1) * width)


def exponentials(S, may):
    """The right weights of one head, from the exponentials."""
    E = torch.where(may, torch.exp(S - S.amax(dim=-1, keepdim=True).detach()), torch.zeros_like(S))
    return E / E.sum(dim=-1, keepdim=True)


def not_later(i, j, T_q, T_k):
    """Whether query i sees key j."""
    return j <= i + T_k - T_q


def appended(cache, k, v):
    """The old and the new positions."""
    if cache is None:
        return k, v
    return tuple(cache.append(k, v))


class HeadByHead(nn.Module):
    """Right but for the parts that are passed."""

    def __init__(
        self,
        config,
        *,
        columns=own_columns,
        divisor=lambda width, d: width**0.5,
        may=not_later,
        weights=exponentials,
        keep=appended,
        place=lambda heads: torch.cat(heads, dim=-1),
        drop=(nn.Dropout, nn.Dropout),
        gathered=lambda drop, A, v: drop(A) @ v,
        leave=lambda affine, Z: affine(Z),
        heads=None,
        bias=None,
        check=divided,
    ):
        super().__init__()
        check(config)
        self.d, self.H = config.d_model, heads or config.n_head
        bias = config.bias if bias is None else bias
        self.c_attn, self.c_proj = Affine(self.d, 3 * self.d, bias=bias), Affine(self.d, self.d, bias=bias)
        self.drop_weights, self.drop_output = (made(config.dropout) for made in drop)
        self.columns, self.divisor, self.may, self.weights = columns, divisor, may, weights
        self.keep, self.place, self.gathered, self.leave = keep, place, gathered, leave

    def parts(self, x):
        """q, k and v, [B, H, T, d / H] each."""
        P = self.c_attn(x)
        heads = range(self.H)
        return [torch.stack([P[..., self.columns(part, h, self.H, self.d)] for h in heads], 1) for part in range(3)]

    def forward(self, x, cache=None):
        q, k, v = self.parts(x)
        k, v = self.keep(cache, k, v)
        T_q, T_k = q.shape[2], k.shape[2]
        may = torch.tensor([[self.may(i, j, T_q, T_k) for j in range(T_k)] for i in range(T_q)])
        found = []
        for h in range(self.H):
            S = torch.einsum("bqi,bki->bqk", q[:, h], k[:, h]) / self.divisor(q.shape[-1], self.d)
            found.append(self.gathered(self.drop_weights, self.weights(S, may), v[:, h]))
        return self.drop_output(self.leave(self.c_proj, self.place(found)))


def mistaken(misconception_id, at_once, head_by_head, **words):
    """Declare a mistake and its variant by the parts that are wrong; a class may stand in the place of parts."""
    first = at_once if callable(at_once) else lambda config: AtOnce(config, **at_once)
    second = head_by_head if callable(head_by_head) else lambda config: HeadByHead(config, **head_by_head)
    about_attention(misconception_id, **words)(lambda ref, config: first(config))
    variant(misconception_id)(lambda ref, config: second(config))


class _Around(nn.Module):
    """Has the parameters of another layer as its own."""

    def __init__(self, config, layer):
        super().__init__()
        self.c_attn, self.c_proj = layer.c_attn, layer.c_proj
        self.within = [layer]  # in a list, so that its parameters are not listed twice

    def train(self, mode=True):  # noqa: FBT002  # as torch has it
        self.within[0].train(mode)
        return super().train(mode)
