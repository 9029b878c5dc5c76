"""Everything entry by entry, in plain loops."""

import math

import numpy as np


def causal_mask(T_q, T_k=None):
    if T_k is None:
        T_k = T_q
    if T_q < 0 or T_k < T_q:
        raise ValueError("fewer keys than queries")
    mask = np.zeros((T_q, T_k), dtype=bool)
    for i in range(T_q):
        position = T_k - T_q + i
        for j in range(position + 1):
            mask[i, j] = True
    return mask


def padding_mask(lengths, T):
    if T < 0 or len(lengths.shape) != 1:
        raise ValueError("lengths must have one axis, and T must not be negative")
    mask = np.zeros((len(lengths), T), dtype=bool)
    for b, n in enumerate(lengths):
        if not isinstance(n, np.integer) or n < 0 or n > T:
            raise ValueError(f"length {n} is no integer between 0 and {T}")
        for t in range(n):
            mask[b, t] = True
    return mask


def sliding_window_mask(T, window):
    if window < 1:
        raise ValueError("window must be at least 1")
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(max(0, i - window + 1), i + 1):
            mask[i, j] = True
    return mask


def combine_masks(causal, padding):
    if causal.dtype != np.bool_ or padding.dtype != np.bool_:
        raise ValueError("masks must be boolean")
    B, T = padding.shape
    if causal.shape != (T, T):
        raise ValueError("the masks do not fit")
    mask = np.zeros((B, 1, T, T), dtype=bool)
    for b in range(B):
        for i in range(T):
            for j in range(T):
                mask[b, 0, i, j] = causal[i, j] and padding[b, j]
    return mask


def apply_mask(scores, mask):
    if mask.dtype != np.bool_:
        raise ValueError("mask must be boolean")
    mask = np.broadcast_to(mask, scores.shape)
    out = np.zeros(scores.shape, dtype=np.float32 if scores.dtype == np.float32 else np.float64)
    for index in np.ndindex(scores.shape):
        out[index] = scores[index] if mask[index] else -math.inf
    return out


def masked_softmax(scores, mask):
    masked = apply_mask(scores, mask)
    weights = np.zeros_like(masked)
    for index in np.ndindex(masked.shape[:-1]):
        row = masked[index]
        biggest = -math.inf
        for s in row:
            biggest = max(biggest, s)
        if biggest == -math.inf:
            continue
        total = 0.0
        for s in row:
            total += math.exp(s - biggest)
        for j, s in enumerate(row):
            weights[index][j] = math.exp(s - biggest) / total
    return weights
