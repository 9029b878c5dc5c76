"""Masks from running counts."""

import numpy as np


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_k < T_q or T_q < 0:
        raise ValueError("fewer keys than queries")
    own = np.eye(T_q, T_k, k=T_k - T_q, dtype=int)
    seen_before = np.cumsum(own, axis=1) - own
    return seen_before == 0


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim > 1 or lengths.dtype.kind == "f" or (lengths != np.clip(lengths, 0, T)).any():
        raise ValueError("lengths must lie between 0 and T")
    nth_token = np.cumsum(np.ones((len(lengths), T), dtype=int), axis=1)
    return nth_token <= lengths.reshape(-1, 1)


def sliding_window_mask(T, window):
    if window < 1 or T < 0:
        raise ValueError("window must be at least 1")
    entered = np.cumsum(np.eye(T, dtype=int), axis=0)
    left = np.cumsum(np.eye(T, k=-window, dtype=int), axis=0)
    return (entered - left).astype(bool)


def combine_masks(causal, padding):
    if causal.dtype.kind != "b" or padding.dtype.kind != "b":
        raise ValueError("masks must be boolean")
    B, T = padding.shape
    if causal.shape != (T, T):
        raise ValueError("the masks do not fit")
    votes = causal.astype(int)[np.newaxis] + padding.astype(int).reshape(B, 1, T)
    return (votes == 2).reshape(B, 1, T, T)


def apply_mask(scores, mask):
    if mask.dtype.kind != "b" or mask.ndim > scores.ndim:
        raise ValueError("the mask does not fit the scores")
    masked = np.array(scores, dtype=scores.dtype if scores.dtype == "float32" else "float64")
    np.copyto(masked, -np.inf, where=~mask)
    return masked


def masked_softmax(scores, mask):
    logits = apply_mask(scores, mask)
    top = np.max(logits, axis=-1, keepdims=True, where=mask, initial=-np.inf)
    e = np.exp(np.subtract(logits, top, out=np.full_like(logits, -np.inf), where=np.isfinite(top)))
    total = np.einsum("...k->...", e)[..., np.newaxis]
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)
