"""Additive masks of 0 and the lowest number of the dtype, index notation, and float32 throughout where float32 comes in."""

import numpy as np


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_q > T_k:
        raise ValueError("fewer keys than queries")
    return np.einsum("i,j->ij", np.ones(T_q), np.arange(T_k)) <= np.arange(T_k - T_q, T_k)[:, None]


def padding_mask(lengths, T):
    if T < 0 or lengths.dtype.kind not in "iu" or np.count_nonzero((lengths < 0) + (lengths > T)):
        raise ValueError("lengths must lie between 0 and T")
    left = np.einsum("b,t->bt", lengths, np.ones(T, dtype=int)) - np.arange(T)
    return left > 0


def sliding_window_mask(T, window):
    if window < 1 or T < 0:
        raise ValueError("window must be at least 1, and T no less than 0")
    offsets = np.arange(T)[:, None] - np.arange(T)[None, :]
    return np.isin(offsets, np.arange(window))


def combine_masks(causal, padding):
    if {causal.dtype, padding.dtype} != {np.dtype(bool)}:
        raise ValueError("masks must be boolean")
    if causal.shape[1:] != padding.shape[1:]:  # einsum would stretch a length of 1
        raise ValueError("masks must be of one length")
    return np.einsum("qk,bk->bqk", causal, padding)[:, None]


def _bias(mask, scores):
    """[..., T_q, T_k]: what is added to the scores."""
    if mask.dtype != np.dtype(bool) or np.broadcast_shapes(mask.shape, scores.shape) != scores.shape:
        raise ValueError("the mask does not fit the scores")
    return np.where(mask, scores.dtype.type(0), np.finfo(scores.dtype).min)


def _floats(scores):
    return scores if scores.dtype == np.float32 else scores.astype(np.float64)


def apply_mask(scores, mask):
    scores = _floats(scores)
    lowest = scores + _bias(mask, scores)
    # The exercise asks for -inf itself.
    return np.where(np.broadcast_to(mask, scores.shape), lowest, scores.dtype.type(-np.inf))


def masked_softmax(scores, mask):
    scores = _floats(scores)
    bias = _bias(mask, scores)
    # Moved below 0 by the highest visible score, so that the sum with the lowest number stays below it.
    top = np.max(np.where(mask, scores, np.finfo(scores.dtype).min), axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        E = np.exp(np.minimum(scores - top, 0) + bias)
    visible = np.einsum("...k,...k->...k", E, np.broadcast_to(mask, E.shape).astype(E.dtype))
    total = np.einsum("...k->...", visible)[..., None]
    return visible / np.maximum(total, np.finfo(E.dtype).tiny)
