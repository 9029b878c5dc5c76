"""A class of masks that can be combined, and rows that are generated one by one."""

import dataclasses
import math

import numpy as np


class RefusedError(ValueError):
    """What does not fit."""


@dataclasses.dataclass(frozen=True)
class Allowed:
    """Who may attend to whom."""

    keys: np.ndarray

    def __post_init__(self):
        if self.keys.dtype != np.bool_:
            raise RefusedError(self.keys.dtype)

    def __and__(self, other):
        return Allowed(self.keys & other.keys)

    def for_scores(self, scores):
        if self.keys.ndim > scores.ndim:
            raise RefusedError("more axes than scores")
        return np.broadcast_to(self.keys, scores.shape)

    @classmethod
    def from_rule(cls, rule, *shape):
        return cls(np.fromiter((rule(*index) for index in np.ndindex(*shape)), dtype=bool).reshape(shape))


class Row:
    """The scores of one query, and the keys that it may see."""

    def __init__(self, scores, keys):
        self.scores, self.keys = scores, keys

    def masked(self):
        for score, seen in zip(self.scores, self.keys, strict=True):
            yield score if seen else -math.inf

    def weights(self):
        highest = max(self.masked())
        if math.isinf(highest):
            yield from (0.0 for _ in self.keys)
            return
        powers = [math.exp(score - highest) for score in self.masked()]
        yield from (power / sum(powers) for power in powers)


def _rows(scores, mask):
    keys = Allowed(mask).for_scores(scores)
    for index in np.ndindex(scores.shape[:-1]):
        yield Row(scores[index].tolist(), keys[index].tolist())


def _like(scores, numbers):
    dtype = np.float32 if scores.dtype == np.float32 else np.float64
    return np.fromiter(numbers, dtype=dtype).reshape(scores.shape)


def causal_mask(T_q, T_k=None):
    T_k = T_q if T_k is None else T_k
    if T_q > T_k:
        raise RefusedError("queries without a key")
    return Allowed.from_rule(lambda i, j: j - i <= T_k - T_q, T_q, T_k).keys


def padding_mask(lengths, T):
    if T < 0 or lengths.ndim > 1 or not np.issubdtype(lengths.dtype, np.integer):
        raise RefusedError(T)
    for length in lengths:
        if length < 0 or length > T:
            raise RefusedError(length)
    return Allowed.from_rule(lambda b, t: t < lengths[b], len(lengths), T).keys


def sliding_window_mask(T, window):
    if window < 1:
        raise RefusedError(window)
    near = Allowed.from_rule(lambda i, j: i - j < window, T, T)
    return (near & Allowed(causal_mask(T))).keys


def combine_masks(causal, padding):
    if causal.shape[-1] != padding.shape[-1]:
        raise RefusedError((causal.shape, padding.shape))
    B, T = padding.shape
    return (Allowed(causal) & Allowed(padding.reshape(B, 1, 1, T))).keys


def apply_mask(scores, mask):
    return _like(scores, (score for row in _rows(scores, mask) for score in row.masked()))


def masked_softmax(scores, mask):
    return _like(scores, (weight for row in _rows(scores, mask) for weight in row.weights()))
