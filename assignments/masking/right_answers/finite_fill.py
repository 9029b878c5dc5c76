"""A hidden score is a very low number in the softmax, and rows without keys are cleared at the end."""

import numpy as np


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_q < 0 or T_k < T_q:
        raise ValueError("fewer keys than queries")
    return causal_rows(np.arange(T_k - T_q, T_k), T_k)


def causal_rows(positions, T_k):
    mask = np.empty((len(positions), T_k), dtype=bool)
    for row, position in zip(mask, positions, strict=True):
        row[: position + 1] = True
        row[position + 1 :] = False
    return mask


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise ValueError("T is not negative, and lengths are one axis of integers")
    mask = np.full((lengths.shape[0], T), fill_value=True)
    for b, n in enumerate(lengths):
        if not 0 <= n <= T:
            raise ValueError("lengths must lie between 0 and T")
        mask[b, n:] = False
    return mask


def sliding_window_mask(T, window):
    if not window >= 1:
        raise ValueError("window must be at least 1")
    mask = causal_mask(T)
    for i in range(window, T):
        mask[i, : i - window + 1] = False
    return mask


def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool or causal.shape[-1] != padding.shape[-1]:
        raise ValueError("the masks do not fit")
    combined = np.tile(causal, (padding.shape[0], 1, 1, 1))
    for b, keys in enumerate(padding):
        combined[b, :, :, ~keys] = False
    return combined


def filled(scores, mask, value):
    if mask.dtype != bool or mask.ndim > scores.ndim:
        raise ValueError("the mask does not fit the scores")
    mask = np.broadcast_to(mask, scores.shape)
    out = scores.astype(np.float32) if scores.dtype == np.float32 else scores.astype(np.float64)
    out[np.logical_not(mask)] = value
    return out


def apply_mask(scores, mask):
    return filled(scores, mask, -np.inf)


def masked_softmax(scores, mask):
    low = filled(scores, mask, -1e9)
    e = np.exp(low - np.max(low, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    has_keys = np.any(mask, axis=-1, keepdims=True)
    return weights * has_keys
