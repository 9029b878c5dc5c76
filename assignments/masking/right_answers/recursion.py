"""Each mask from the one that is a token shorter, and batches taken apart axis by axis."""

import numpy as np


def _grown(T):
    """The causal rows of T tokens: those of one fewer, and one that sees all."""
    if T <= 0:
        return []
    return [[*row, False] for row in _grown(T - 1)] + [[True] * T]


def causal_mask(T_q, T_k=None):
    if T_k is None:
        T_k = T_q
    if not 0 <= T_q <= T_k:
        raise ValueError("fewer keys than queries")
    return np.array(_grown(T_k)[T_k - T_q :], dtype=bool).reshape(T_q, T_k)


def _filled(length, T):
    if T == 0:
        if length != 0:
            raise ValueError("a length out of range")
        return []
    return [length > 0, *_filled(length - 1 if length else 0, T - 1)] if length >= 0 else _filled(length, 0)


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim > 1 or lengths.dtype.kind not in "iu":
        raise ValueError("one whole length for each sequence, and no fewer than no positions")
    return np.array([_filled(int(length), T) for length in lengths], dtype=bool).reshape(len(lengths), T)


def sliding_window_mask(T, window):
    if window <= 0 or T < 0:
        raise ValueError("an empty window")
    if window == 1:
        return np.eye(T, dtype=bool)
    narrower = sliding_window_mask(T, window - 1)
    one_back = np.zeros_like(narrower)
    one_back[1:, :-1] = narrower[1:, 1:]
    return narrower | one_back


def combine_masks(causal, padding):
    if causal.dtype != bool or padding.dtype != bool or causal.shape[1] != padding.shape[1]:
        raise ValueError("the masks do not fit")
    if len(padding) == 0:
        return np.zeros((0, 1, *causal.shape), dtype=bool)
    first = np.logical_and(causal, padding[0])[np.newaxis, np.newaxis]
    return np.vstack([first, combine_masks(causal, padding[1:])])


def _apart(scores, mask, work):
    """Do the work on each row, axis by axis."""
    if scores.ndim == 1:
        return work(scores, mask)
    return np.array([_apart(s, m, work) for s, m in zip(scores, mask, strict=True)], dtype=scores.dtype)


def _rowwise(scores, mask, work):
    if mask.dtype != bool or mask.ndim > scores.ndim:
        raise ValueError("the mask does not fit")
    return _apart(
        scores * np.float32(1) if scores.dtype == np.float32 else scores.astype(float),
        np.broadcast_to(mask, scores.shape),
        work,
    )


def apply_mask(scores, mask):
    return _rowwise(scores, mask, lambda row, keep: np.where(keep, row, row.dtype.type(-np.inf)))


def _shared(row, keep):
    """Weights of the keys that are left: leave out hidden ones, share among the others, and put 0 back."""
    out = np.zeros_like(row)
    if keep.any():
        out[keep] = _plain(row[keep])
    return out


def _plain(row):
    """A softmax by merging halves: the weights of each, times its share in both."""
    return np.exp(row - _log_total(row))


def _log_total(row):
    if len(row) == 1:
        return row[0]
    return np.logaddexp(_log_total(row[: len(row) // 2]), _log_total(row[len(row) // 2 :]))


def masked_softmax(scores, mask):
    return _rowwise(scores, mask, _shared)
