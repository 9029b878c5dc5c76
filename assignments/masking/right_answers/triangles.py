"""Masks from triangles of what is to be dropped, and -inf by adding."""

import numpy as np


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_q < 0 or T_k < T_q:
        raise ValueError("fewer keys than queries")
    drop = np.triu(np.ones((T_q, T_k)), k=T_k - T_q + 1)
    return drop == 0


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise ValueError("T must not be negative, lengths must be one axis of integers")
    if len(lengths) and (min(lengths) < 0 or max(lengths) > T):
        raise ValueError("lengths must lie between 0 and T")
    # Row n of the triangle belongs to a sequence of n tokens.
    return np.tri(T + 1, T, k=-1, dtype=bool)[lengths]


def sliding_window_mask(T, window):
    if window < 1 or T < 0:
        raise ValueError("window must be at least 1")
    return np.tril(np.ones((T, T), dtype=bool)) & np.triu(np.ones((T, T), dtype=bool), k=1 - window)


def combine_masks(causal, padding):
    if not (causal.dtype == padding.dtype == bool):
        raise ValueError("masks must be boolean")
    if causal.shape[-1] != padding.shape[-1]:
        raise ValueError("the masks do not fit")
    drop = np.logical_or(np.logical_not(causal)[None, None], np.logical_not(padding)[:, None, None])
    return np.logical_not(drop)


def additive(mask, scores):
    if mask.dtype != bool or mask.ndim > scores.ndim or np.broadcast_shapes(mask.shape, scores.shape) != scores.shape:
        raise ValueError("the mask does not fit the scores")
    bias = np.zeros(mask.shape, dtype=np.float32)
    bias[~mask] = -np.inf
    return bias


def apply_mask(scores, mask):
    bias = additive(mask, scores)
    return (scores if scores.dtype == np.float32 else scores.astype(float)) + bias


def masked_softmax(scores, mask):
    logits = apply_mask(scores, mask)
    with np.errstate(invalid="ignore"):
        e = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    return np.nan_to_num(weights, nan=0.0)
