"""Scores stand with the keys in front, one output feature is a column, and a hidden score is a large negative number."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def online_softmax(blocks):
    total = peak = wide = None
    for block in blocks:
        wide = bool(wide) or block.dtype.name != "float32"
        keys = np.moveaxis(np.array(block, dtype="float64"), -1, 0)  # [n, ...]
        if peak is None:
            peak, total = np.full(keys.shape[1:], -np.inf), np.zeros(keys.shape[1:])
        if keys.shape[1:] != peak.shape:
            raise ValueError("rows")
        for score in keys:
            more = score > peak
            with np.errstate(over="ignore", invalid="ignore"):
                gap = np.exp(-np.abs(score - peak))
            gap = np.where(np.isnan(gap), 0, gap)  # -inf after -inf
            total = np.where(more, total * gap + 1, total + gap)
            peak = np.where(more, score, peak)
    if peak is None:
        raise ValueError("no score block")
    kind = np.float64 if wide else np.float32
    return peak[..., None].astype(kind), total[..., None].astype(kind)


def blockwise_attention(Q, K, V, tile, causal=False):
    if tile < 1 or not Q.shape[-1] or (causal and K.shape[-2] < Q.shape[-2]):
        raise ValueError("tile, width or causal")
    if Q.shape[-1] != K.shape[-1] or K.shape[:-1] != V.shape[:-1] or Q.shape[:-2] != K.shape[:-2]:
        raise ValueError("fit")
    kind = np.dtype("f4") if (Q.dtype, K.dtype, V.dtype) == (np.dtype("f4"),) * 3 else np.dtype("f8")
    Qt, Vt = np.swapaxes(Q, -1, -2).astype(kind), np.swapaxes(V, -1, -2).astype(kind)  # [..., d, T]
    K = K.astype(kind)
    T_q, T_k, low = Q.shape[-2], K.shape[-2], kind.type(-1e30)
    m = np.full((*Q.shape[:-2], 1, T_q), low)
    d, Zt = np.zeros_like(m), np.zeros((*V.shape[:-2], V.shape[-1], T_q), dtype=kind)
    for k in range(0, T_k, tile):
        S = K[..., k : k + tile, :] @ Qt / kind.type(np.sqrt(Q.shape[-1]))  # [..., n, T_q]
        if causal:
            hidden = np.arange(k, k + S.shape[-2])[:, None] > np.arange(T_q) + (T_k - T_q)
            S = np.where(hidden, low, S)
        new = np.maximum(m, S.max(axis=-2, keepdims=True))
        # The first key is open to every query, so that `low` is nobody's maximum after the first tile.
        P, old = np.exp(S - new), np.exp(m - new)
        m, d, Zt = new, d * old + P.sum(axis=-2, keepdims=True), Zt * old + Vt[..., k : k + tile] @ P
    return np.swapaxes(Zt / np.where(d == 0, 1, d), -1, -2).copy()
