"""Fortran order: a query is a column, the keys run down, and everything is turned back at the end."""

import numpy as np


def _turn(array):
    return np.swapaxes(array, -1, -2)


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_k - T_q < 0:
        raise ValueError("fewer keys than queries")
    down = np.ones((T_k, T_q), dtype=bool, order="F")
    for query in range(T_q):
        down[T_k - T_q + query + 1 :, query] = False
    return down.T


def padding_mask(lengths, T):
    if lengths.dtype.kind not in "iu" or T < 0 or ((lengths < 0) | (lengths > T)).any():
        raise ValueError("a length out of range, or not an integer")
    down = np.asfortranarray(np.arange(T).reshape(T, 1) < lengths)
    return down.T


def sliding_window_mask(T, window):
    if window < 1:
        raise ValueError("no window")
    down = np.zeros((T, T), dtype=bool, order="F")
    for query in range(T):
        down[max(query + 1 - window, 0) : query + 1, query] = True
    return down.T


def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool or len(causal) != padding.shape[1]:
        raise ValueError("two boolean masks of one length are needed")
    down = np.empty((*causal.shape[::-1], 1, len(padding)), dtype=bool, order="F")  # [keys, queries, 1, B]
    for b, tokens in enumerate(padding):
        down[:, :, 0, b] = causal.T & tokens[:, np.newaxis]
    return down.T


def _columns(scores, mask):
    if mask.dtype != bool or mask.ndim > scores.ndim:
        raise ValueError("no mask for these scores")
    mask = np.broadcast_to(mask, scores.shape)
    dtype = "f4" if scores.dtype == np.float32 else "f8"
    down = np.array(_turn(scores), dtype=dtype, order="F")
    down[~_turn(mask)] = -np.inf
    return down


def apply_mask(scores, mask):
    return _turn(_columns(scores, mask))


def masked_softmax(scores, mask):
    down = _columns(scores, mask)
    top = down.max(axis=-2, keepdims=True)
    top[top == -np.inf] = 0
    np.subtract(down, top, out=down)
    np.exp(down, out=down)
    whole = down.sum(axis=-2, keepdims=True)
    np.divide(down, whole, out=down, where=whole > 0)
    return _turn(down)
