"""The output is divided after every tile, so that it is a mean of the values seen so far (FlashAttention's first form)."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


class Running:
    """A maximum and a sum that grow with every block."""

    def __init__(self, rows, dtype):
        self.m = np.full(rows, -np.inf, dtype=dtype)
        self.d = np.zeros(rows, dtype=dtype)

    def see(self, x):
        """Take in [..., n] and return how much of the new sum is old, and the shares of x in it."""
        if x.shape[:-1] != self.m.shape:
            raise ValueError("other rows than before")
        before = self.d
        m = np.maximum(self.m, np.max(x, axis=-1, initial=-np.inf))
        finite = np.where(np.isfinite(m), m, 0)
        with np.errstate(over="ignore"):
            kept, powers = before * np.exp(self.m - finite), np.exp(x - finite[..., None])
        self.m, self.d = m, kept + powers.sum(axis=-1)
        safe = np.where(self.d > 0, self.d, 1)
        return (kept / safe)[..., None], powers / safe[..., None]


def online_softmax(blocks):
    running, narrow = None, []
    for block in blocks:
        narrow.append(np.asarray(block).dtype == np.float32)
        running = running or Running(np.shape(block)[:-1], np.float64)
        running.see(np.array(block, dtype=np.float64))
    if running is None:
        raise ValueError("nothing to see")
    kind = [np.float64, np.float32][all(narrow)]
    return tuple(each[..., None].astype(kind) for each in (running.m, running.d))


def blockwise_attention(Q, K, V, tile, causal=False):
    *lead, T_q, d_k = Q.shape
    *_, T_k, d_v = V.shape
    if K.shape != (*lead, T_k, d_k) or V.shape != (*lead, T_k, d_v):
        raise ValueError(f"shapes {Q.shape}, {K.shape} and {V.shape}")
    if tile < 1 or d_k < 1 or (causal and T_q > T_k):
        raise ValueError(f"tile {tile}, {T_q} queries, {T_k} keys")
    kind = np.dtype(np.float32 if Q.dtype == K.dtype == V.dtype == np.float32 else np.float64)
    Q, K, V = Q.astype(kind) * kind.type(1 / np.sqrt(d_k)), K.astype(kind), V.astype(kind)
    running = Running((*lead, T_q), kind)
    Z = np.zeros((*lead, T_q, d_v), dtype=kind)
    start = 0
    while start < T_k:
        stop = min(start + tile, T_k)
        S = Q @ np.moveaxis(K[..., start:stop, :], -1, -2)
        if causal:
            ahead = np.arange(start, stop) - np.arange(T_k - T_q, T_k).reshape(-1, 1) > 0
            S = np.where(ahead, -np.inf, S)
        old, shares = running.see(S)
        Z = old * Z + shares @ V[..., start:stop, :]
        start = stop
    return Z
