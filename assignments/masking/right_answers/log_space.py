"""The softmax in log space: exp(s - log sum exp s)."""

import numpy as np


def _require(condition, message):
    if not condition:
        raise ValueError(message)


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    _require(T_k >= T_q >= 0, "fewer keys than queries")
    return np.fromfunction(lambda i, j: j - i <= T_k - T_q, (T_q, T_k))


def padding_mask(lengths, T):
    _require(T >= 0 and lengths.ndim == 1, "lengths must be one axis, and T not negative")
    _require(lengths.dtype.kind in "iu", "lengths must be integers")
    _require(all(n in range(T + 1) for n in lengths), "lengths must lie between 0 and T")
    return np.stack([np.repeat([True, False], [n, T - n]) for n in lengths])


def sliding_window_mask(T, window):
    _require(window >= 1 and T >= 0, "window must be at least 1, and T not negative")
    return sum((np.eye(T, k=-back) for back in range(min(window, T))), start=np.zeros((T, T))) > 0


def combine_masks(causal, padding):
    _require(causal.dtype == bool and padding.dtype == bool, "masks must be boolean")
    _require(causal.shape[-1] == padding.shape[-1], "the masks do not fit")
    return np.stack([np.logical_and(causal, keys) for keys in padding])[:, np.newaxis]


def apply_mask(scores, mask):
    _require(mask.dtype == bool, "mask must be boolean")
    mask = np.broadcast_to(mask, scores.shape)
    masked = scores.astype(np.float32 if scores.dtype == np.float32 else np.float64)
    masked[~mask] = -np.inf
    return masked


def masked_softmax(scores, mask):
    logits = apply_mask(scores, mask)
    log_total = np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    empty = np.isneginf(log_total)
    return np.exp(logits - np.where(empty, 0, log_total))
