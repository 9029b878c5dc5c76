"""Once over the tiles for the maximum and the sum, and once more for the output: a generator feeds both."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def _real(*arrays):
    kind = np.float32 if all(np.asarray(a).dtype == np.float32 for a in arrays) else np.float64
    return [np.asarray(a).astype(kind) for a in arrays]


def online_softmax(blocks):
    m = d = None
    for given in blocks:
        [x] = _real(given)
        if m is None:
            m = np.full((*x.shape[:-1], 1), -np.inf, dtype=x.dtype)
            d = np.zeros(m.shape)  # always in double
            kind = x.dtype
        if x.shape[:-1] != m.shape[:-1]:
            raise ValueError(f"rows {m.shape[:-1]} and {x.shape[:-1]}")
        kind = np.promote_types(kind, x.dtype)
        if x.shape[-1] == 0:
            continue
        x = x.astype(np.float64)
        higher = np.maximum(m, x.max(axis=-1, keepdims=True))
        safe = np.maximum(higher, np.finfo(np.float64).min)  # -inf - finite is -inf, and exp of that is 0
        with np.errstate(over="ignore"):
            d = d * np.exp(m - safe) + np.exp(x - safe).sum(axis=-1, keepdims=True)
        m = higher
    if m is None:
        raise ValueError("no blocks")
    return m.astype(kind), d.astype(kind)


def blockwise_attention(Q, K, V, tile, causal=False):
    Q, K, V = _real(Q, K, V)
    n, t = Q.shape[-2], K.shape[-2]
    if Q.shape[-1] != K.shape[-1] or K.shape[:-1] != V.shape[:-1] or Q.shape[:-2] != K.shape[:-2]:
        raise ValueError("shapes do not fit")
    if tile < 1 or Q.shape[-1] < 1 or (causal and n > t):
        raise ValueError("tile, width or lengths out of range")

    def tiles():
        for first in range(0, t, tile):
            part = slice(first, first + tile)
            S = Q @ np.swapaxes(K[..., part, :], -1, -2) / np.sqrt(Q.dtype.type(Q.shape[-1]))
            if causal:
                np.copyto(S, -np.inf, where=np.arange(t)[part] > np.arange(t - n, t)[:, None])
            yield part, S

    Z = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    if t == 0:
        return Z
    m, d = online_softmax(S for _, S in tiles())
    for part, S in tiles():
        Z += np.exp(S - m) / d @ V[..., part, :]
    return Z
