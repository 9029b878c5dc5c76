"""Fills the result column after column, and calls the encoder anew for every token."""

import numpy as np


def sinusoidal_encoding(T, d_model, base=10000.0):
    if d_model % 2:
        raise ValueError("odd width")
    if d_model < 1 or T < 0 or base <= 0:
        raise ValueError("out of range")
    positions = np.arange(T)
    table = np.zeros((T, d_model))
    for c in range(d_model):
        pair = c // 2
        wave = np.cos if c % 2 else np.sin
        table[:, c] = wave(positions * np.power(base, -2.0 * pair / d_model))
    return table


def rotate_2d(x, angle):
    if x.shape[-1:] != (2,):
        raise ValueError("not [..., 2]")
    kept = x.dtype if x.dtype == np.float32 else np.float64
    out = np.zeros(x.shape, dtype=kept)
    # The columns of a turn are where [1, 0] and [0, 1] go.
    out += x[..., :1] * np.array([np.cos(angle), np.sin(angle)], dtype=kept)
    out += x[..., 1:] * np.array([-np.sin(angle), np.cos(angle)], dtype=kept)
    return out


def rope_frequencies(d_head, base=10000.0):
    if d_head % 2 or d_head < 1 or base <= 0:
        raise ValueError("out of range")
    factor = base ** (-2 / d_head)
    return np.cumprod(np.append(1.0, np.full(d_head // 2 - 1, factor)))


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2:
        raise ValueError("x needs rows")
    if len(positions.shape) > 1 and positions.shape != x.shape[:-1]:
        raise ValueError("positions of another batch")
    if positions.shape[-1:] != x.shape[-2:-1]:
        raise ValueError("positions of another length")
    out = np.zeros(x.shape, dtype=np.float32 if x.dtype == np.float32 else np.float64)
    for i, frequency in enumerate(rope_frequencies(x.shape[-1], base)):
        cos, sin = np.cos(positions * frequency), np.sin(positions * frequency)
        left, right = x[..., 2 * i].astype(np.float64), x[..., 2 * i + 1].astype(np.float64)
        out[..., 2 * i] = left * cos - right * sin
        out[..., 2 * i + 1] = right * cos + left * sin
    return out


def relative_scores(q, k, n, base=10000.0):
    if q.shape != k.shape or len(q.shape) != 1 or n < 0:
        raise ValueError("out of range")
    kept = np.float32 if q.dtype == k.dtype == np.float32 else np.float64
    steps = np.subtract.outer(np.arange(n), np.arange(n))
    scores = np.zeros((n, n), dtype=kept)
    for i, frequency in enumerate(rope_frequencies(len(q), base)):
        a, b = q[2 * i : 2 * i + 2].astype(np.float64)
        c, d = k[2 * i : 2 * i + 2].astype(np.float64)
        scores += ((a * c + b * d) * np.cos(steps * frequency) + (a * d - b * c) * np.sin(steps * frequency)).astype(
            kept
        )
    return scores


def order_sensitivity(encode, X, perm):
    T = len(X)
    if X.ndim != 2 or len(perm) != T or len({p for p in perm.tolist() if 0 <= p < T}) != T:
        raise ValueError("not a permutation")
    worst = np.float64(0)
    for i in range(T):
        here = np.array(encode(X[perm])[i], dtype=np.float64)
        there = np.array(encode(X)[perm[i]], dtype=np.float64)
        worst = np.maximum(worst, np.max(np.abs(here - there)))
    return worst
