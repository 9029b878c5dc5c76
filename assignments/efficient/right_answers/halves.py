"""Putting two parts together is associative: the keys are halved until a part is a tile, and merged on the way back."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from functools import reduce

import numpy as np


def _join(a, b):
    m = np.maximum(a[0], b[0])
    with np.errstate(over="ignore"):
        wa, wb = (np.exp(part[0] - np.where(m > -np.inf, m, 0)) for part in (a, b))
    return (m, *(wa * x + wb * y for x, y in zip(a[1:], b[1:], strict=True)))


def _leaf(S, *values):
    m = S.max(-1, keepdims=True, initial=-np.inf)
    with np.errstate(over="ignore"):
        P = np.exp(S - np.where(m > -np.inf, m, 0))
    return (m, P.sum(-1, keepdims=True), *(P @ v for v in values))


def online_softmax(blocks):
    blocks = [np.asarray(b) for b in blocks]
    if not blocks or any(b.shape[:-1] != blocks[0].shape[:-1] for b in blocks):
        raise ValueError("blocks with the same rows, at least one")
    single = all(b.dtype == np.float32 for b in blocks)
    m, d = reduce(_join, (_leaf(b.astype(float)) for b in blocks))
    return (m.astype(np.float32), d.astype(np.float32)) if single else (m, d)


def blockwise_attention(Q, K, V, tile, causal=False):
    if not (Q.shape[:-2] == K.shape[:-2] == V.shape[:-2] and Q.shape[-1] == K.shape[-1] and K.shape[-2] == V.shape[-2]):
        raise ValueError(f"{Q.shape} {K.shape} {V.shape}")
    if min(tile, Q.shape[-1]) < 1 or (causal and K.shape[-2] < Q.shape[-2]):
        raise ValueError("out of range")
    single = all(a.dtype == np.float32 for a in (Q, K, V))
    Q, K, V = (a.astype(np.float32 if single else float) for a in (Q, K, V))
    Q /= np.sqrt(np.array(Q.shape[-1], dtype=Q.dtype))  # a copy of ours
    last = np.arange(K.shape[-2])[K.shape[-2] - Q.shape[-2] :, None] if causal else K.shape[-2]

    def part(a, b):
        if b - a > tile:
            half = a + -(-(b - a) // (2 * tile)) * tile
            return _join(part(a, half), part(half, b))
        S = Q @ K[..., a:b, :].swapaxes(-1, -2)
        return _leaf(np.where(np.arange(a, b) <= last, S, -np.inf), V[..., a:b, :])

    _, d, Z = part(0, K.shape[-2])
    return Z / np.where(d == 0, 1, d)
