"""Looks turns up in a table with one row for each position that occurs."""

import numpy as np


class Turns:
    """Cosines and sines of each distinct position, for each pair."""

    def __init__(self, positions, width, base):
        self.known, self.place = np.unique(positions, return_inverse=True)
        self.place = self.place.reshape(np.shape(positions))
        angles = np.outer(self.known, rope_frequencies(width, base))
        self.cos, self.sin = np.cos(angles), np.sin(angles)

    def __call__(self, x):
        cos, sin = self.cos[self.place], self.sin[self.place]
        pairs = x.reshape(*x.shape[:-1], x.shape[-1] // 2, 2)
        even, odd = pairs[..., 0], pairs[..., 1]
        return np.concatenate(
            [(even * cos - odd * sin)[..., None], (even * sin + odd * cos)[..., None]], axis=-1
        ).reshape(x.shape)


def _wide(x):
    return np.array(x, dtype=np.float64), (np.float32 if x.dtype == np.float32 else np.float64)


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0:
        raise ValueError(T)
    turns = Turns(np.arange(T), d_model, base)
    table = np.zeros((T, d_model))
    np.copyto(table[:, ::2], turns.sin)
    np.copyto(table[:, 1::2], turns.cos)
    return table


def rotate_2d(x, angle):
    if x.ndim == 0 or x.shape[-1] != 2:
        raise ValueError(x.shape)
    wide, dtype = _wide(x)
    length, direction = np.hypot(wide[..., 0], wide[..., 1]), np.arctan2(wide[..., 1], wide[..., 0])
    return np.moveaxis(length * np.array([np.cos(direction + angle), np.sin(direction + angle)]), 0, -1).astype(dtype)


def rope_frequencies(d_head, base=10000.0):
    if d_head < 2 or d_head % 2 or not base > 0:
        raise ValueError((d_head, base))
    return np.logspace(0, -1, d_head // 2 + 1, base=base)[:-1]


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or np.shape(positions) not in [x.shape[:-1], x.shape[-2:-1]]:
        raise ValueError((x.shape, np.shape(positions)))
    wide, dtype = _wide(x)
    return Turns(positions, x.shape[-1], base)(wide).astype(dtype)


def relative_scores(q, k, n, base=10000.0):
    if n < 0 or q.ndim != 1 or q.shape != k.shape:
        raise ValueError((q.shape, k.shape, n))
    turns = Turns(np.arange(n), len(q), base)
    both = turns(np.tile(q.astype(float), (n, 1))) @ turns(np.tile(k.astype(float), (n, 1))).T
    return both.astype(np.float32) if q.dtype == np.float32 and k.dtype == np.float32 else both


def order_sensitivity(encode, X, perm):
    if not (X.ndim == 2 and len(perm) == len(X) and (np.sort(perm) == np.arange(len(X))).all()):
        raise ValueError(perm)
    home = np.empty_like(perm)
    home[perm] = np.arange(len(perm))
    before, after = (np.asarray(out, dtype=np.longdouble) for out in (encode(np.take(X, perm, axis=0)), encode(X)))
    return float(np.linalg.norm((before[home] - after).ravel(), ord=np.inf))
