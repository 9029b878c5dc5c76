"""Lists of lists, made into arrays at the end."""

from math import exp, fsum, inf

import numpy as np


def causal_mask(T_q, T_k=None):
    keys = T_q if T_k is None else T_k
    if not 0 <= T_q <= keys:
        raise ValueError("fewer keys than queries")
    past = keys - T_q
    rows = [[key <= past + query for key in range(keys)] for query in range(T_q)]
    return np.array(rows, dtype=bool).reshape(T_q, keys)


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or not all(isinstance(n, int) and 0 <= n <= T for n in lengths.tolist()):
        raise ValueError("lengths must lie between 0 and T")
    rows = [n * [True] + (T - n) * [False] for n in lengths.tolist()]
    return np.array(rows, dtype=bool).reshape(len(lengths), T)


def sliding_window_mask(T, window):
    if window < 1 or T < 0:
        raise ValueError("window must be at least 1, and T not negative")
    return np.array([[0 <= i - j <= window - 1 for j in range(T)] for i in range(T)], dtype=bool).reshape(T, T)


def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool:
        raise ValueError("masks must be boolean")
    return np.array(
        [[[[c and p for c, p in zip(row, keys, strict=True)] for row in causal.tolist()]] for keys in padding.tolist()]
    )


def rows(scores, mask):
    if mask.dtype != bool:
        raise ValueError("the mask must be boolean")
    everywhere = np.broadcast_to(mask, scores.shape)
    width = scores.shape[-1]
    return zip(scores.reshape(-1, width).tolist(), everywhere.reshape(-1, width).tolist(), strict=True)


def as_scores(new, scores):
    return np.array(new, dtype=np.float32 if scores.dtype == np.float32 else np.float64).reshape(scores.shape)


def apply_mask(scores, mask):
    return as_scores([[s if k else -inf for s, k in zip(*row, strict=True)] for row in rows(scores, mask)], scores)


def weights_of(row):
    top = max(row)
    if top == -inf:
        return [0.0 for _ in row]
    e = [exp(s - top) for s in row]
    return [x / fsum(e) for x in e]


def masked_softmax(scores, mask):
    masked = apply_mask(scores, mask)
    return as_scores([weights_of(row) for row in masked.reshape(-1, masked.shape[-1]).tolist()], scores)
