"""The softmax over all keys first, none above the highest visible one; then the mask, and each row is normalised again."""

import numpy as np


def causal_mask(T_q, T_k=None):
    if T_k is None:
        return causal_mask(T_q, T_q)
    if T_q > T_k or T_q < 0:
        raise ValueError("fewer keys than queries")
    return np.concatenate([np.ones((T_q, T_k - T_q), bool), np.tri(T_q, dtype=bool)], axis=1)


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise ValueError("T must not be negative, lengths must be one axis of integers")
    if lengths.size and not (lengths.min() >= 0 and lengths.max() <= T):
        raise ValueError("lengths must lie between 0 and T")
    return np.greater.outer(lengths, np.arange(T))


def sliding_window_mask(T, window):
    if window <= 0 or T < 0:
        raise ValueError("window must be at least 1")
    causal = causal_mask(T)
    too_far = np.tril(np.ones_like(causal), -window)
    return causal ^ too_far


def combine_masks(causal, padding):
    for mask in (causal, padding):
        if mask.dtype != bool:
            raise ValueError("masks must be boolean")
    B, T = padding.shape
    if causal.shape[1] != T:
        raise ValueError("the masks do not fit")
    return np.einsum("ij,bj->bij", causal, padding).reshape(B, 1, *causal.shape)


def _prepared(scores, mask):
    if mask.dtype != bool or len(mask.shape) > len(scores.shape):
        raise ValueError("the mask does not fit the scores")
    kind = np.float32 if scores.dtype == np.float32 else np.float64
    return scores.astype(kind), np.broadcast_to(mask, scores.shape)


def apply_mask(scores, mask):
    scores, mask = _prepared(scores, mask)
    out = np.full(scores.shape, -np.inf, dtype=scores.dtype)
    out[mask] = scores[mask]
    return out


def masked_softmax(scores, mask):
    scores, mask = _prepared(scores, mask)
    top = np.where(mask, scores, -np.inf).max(-1, keepdims=True)
    e = np.exp(np.minimum(scores - np.where(np.isneginf(top), 0, top), 0))
    p = e / e.sum(-1, keepdims=True)
    kept = p * mask
    total = kept.sum(-1, keepdims=True)
    return np.where(total > 0, kept / np.where(total > 0, total, 1), 0)
