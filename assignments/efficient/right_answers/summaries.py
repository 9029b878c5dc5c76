"""Every block is summed up by itself, and the summaries are put together at the end (Rabe & Staats)."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

from typing import NamedTuple

import numpy as np


class Summary(NamedTuple):
    m: np.ndarray
    d: np.ndarray
    Z: np.ndarray | None = None


def _summary(S, V=None):
    m = S.max(axis=-1, keepdims=True) if S.shape[-1] else np.full((*S.shape[:-1], 1), -np.inf, dtype=S.dtype)
    with np.errstate(over="ignore"):
        P = np.exp(S - np.where(m == -np.inf, 0, m))
    return Summary(m, P.sum(axis=-1, keepdims=True), None if V is None else P @ V)


def _together(parts):
    m = np.maximum.reduce([part.m for part in parts])
    base = np.where(m == -np.inf, 0, m)
    with np.errstate(over="ignore"):
        shares = [np.exp(part.m - base) for part in parts]
    d = sum(share * part.d for share, part in zip(shares, parts, strict=True))
    Z = None if parts[0].Z is None else sum(share * part.Z for share, part in zip(shares, parts, strict=True))
    return Summary(m, d, Z)


def online_softmax(blocks):
    arrays = [np.asarray(block) for block in blocks]
    if len({array.shape[:-1] for array in arrays}) != 1:
        raise ValueError("blocks of one and the same set of rows are needed")
    kind = np.float32 if all(array.dtype == np.float32 for array in arrays) else np.float64
    m, d, _ = _together([_summary(array.astype(np.float64)) for array in arrays])
    return m.astype(kind), d.astype(kind)


def blockwise_attention(Q, K, V, tile, causal=False):
    if Q.shape[:-2] != K.shape[:-2] or Q.shape[-1] != K.shape[-1] or K.shape[:-1] != V.shape[:-1]:
        raise ValueError("Q, K and V do not fit")
    (T_q, d_k), T_k = Q.shape[-2:], K.shape[-2]
    if tile <= 0 or Q.shape[-1] == 0:
        raise ValueError("tile and the width of Q have to be positive")
    if causal and T_k < T_q:
        raise ValueError("the queries are the last positions of the keys")
    kind = np.result_type(*(a if a.dtype == np.float32 else np.float64 for a in (Q, K, V)))
    Q, K, V = (np.asarray(a, dtype=kind) for a in (Q, K, V))
    if T_k == 0:
        return np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=kind)
    parts = []
    for at in np.split(np.arange(T_k), range(tile, T_k, tile)):
        S = np.einsum("...qd,...kd->...qk", Q, K[..., at, :]) * kind.type(d_k) ** kind.type(-0.5)
        if causal:
            S = np.where(np.greater_equal.outer(np.arange(T_k - T_q, T_k), at), S, kind.type(-np.inf))
        parts.append(_summary(S, V[..., at, :]))
    whole = _together(parts)
    return whole.Z / whole.d
