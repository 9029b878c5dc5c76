"""Masks as comparisons of index grids, -inf by `np.where`."""

import numpy as np


def causal_mask(T_q, T_k=None):
    if T_k is None:
        T_k = T_q
    if T_q < 0 or T_k < T_q:
        raise ValueError("fewer keys than queries")
    query = np.arange(T_k - T_q, T_k)[:, None]
    key = np.arange(T_k)[None, :]
    return key <= query


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or not np.can_cast(lengths, np.int64) or np.any(lengths < 0) or np.any(lengths > T):
        raise ValueError("lengths must lie between 0 and T")
    return np.arange(T)[None, :] < lengths[:, None]


def sliding_window_mask(T, window):
    if T < 0 or window < 1:
        raise ValueError("window must be at least 1")
    query, key = np.ogrid[:T, :T]
    return (key <= query) & (query - key < window)


def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool:
        raise ValueError("masks must be boolean")
    if causal.shape[1] != padding.shape[1]:
        raise ValueError(f"{causal.shape} and {padding.shape} do not fit")
    return causal[None, None, :, :] & padding[:, None, None, :]


def apply_mask(scores, mask):
    if mask.dtype != bool:
        raise ValueError("mask must be boolean")
    mask = np.broadcast_to(mask, scores.shape)
    if scores.dtype != np.float32:
        scores = scores.astype(np.float64)
    return np.where(mask, scores, -np.inf)


def masked_softmax(scores, mask):
    masked = apply_mask(scores, mask)
    highest = masked.max(axis=-1, keepdims=True)
    highest[np.isneginf(highest)] = 0
    e = np.exp(masked - highest)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total
