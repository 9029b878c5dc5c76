"""With `numpy.ma`, which keeps what is hidden out of maxima and sums."""

import numpy as np
from numpy import ma


def causal_mask(T_q, T_k=None):
    T_k = T_k if T_k is not None else T_q
    if T_k < T_q or T_q < 0:
        raise ValueError("fewer keys than queries")
    return np.tri(T_k, dtype=bool)[T_k - T_q :]


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim != 1 or lengths.dtype.kind not in "iu":
        raise ValueError("one axis of integers, and no negative T")
    checked = ma.masked_outside(lengths, 0, T)
    if ma.is_masked(checked):
        raise ValueError("lengths must lie between 0 and T")
    return np.indices((len(lengths), T))[1] < lengths[:, np.newaxis]


def sliding_window_mask(T, window):
    if window < 1 or T < 0:
        raise ValueError("window must be at least 1")
    back = ma.masked_outside(np.subtract.outer(np.arange(T), np.arange(T)), 0, window - 1)
    return ~ma.getmaskarray(back)


def combine_masks(causal, padding):
    if causal.dtype != np.bool_ or padding.dtype != np.bool_:
        raise ValueError("masks must be boolean")
    if causal.shape[-1] != padding.shape[-1]:
        raise ValueError("the masks do not fit")
    hidden = ma.mask_or(
        np.broadcast_to(~causal, (len(padding), 1, *causal.shape)),
        np.broadcast_to(~padding[:, None, None], (len(padding), 1, *causal.shape)),
        shrink=False,
    )
    return ~hidden


def _masked(scores, mask):
    if mask.dtype != np.bool_:
        raise ValueError("mask must be boolean")
    hidden = np.broadcast_to(~mask, scores.shape)
    return ma.array(scores, dtype=np.float32 if scores.dtype == np.float32 else np.float64, mask=hidden, copy=True)


def apply_mask(scores, mask):
    return _masked(scores, mask).filled(-np.inf)


def masked_softmax(scores, mask):
    visible = _masked(scores, mask)
    e = ma.exp(visible - visible.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0)
