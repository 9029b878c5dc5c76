"""Everything number by number, in plain loops, with the math module."""

import math

import numpy as np


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0:
        raise ValueError("negative number of positions")
    if d_model < 2 or d_model % 2 == 1:
        raise ValueError("the width must be even")
    if base <= 0:
        raise ValueError("the base must be positive")
    table = np.zeros((T, d_model))
    for p in range(T):
        for i in range(d_model // 2):
            angle = p / base ** (2 * i / d_model)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table


def rotate_2d(x, angle):
    if x.ndim == 0 or x.shape[-1] != 2:
        raise ValueError("vectors of two numbers are needed")
    out = np.zeros(x.shape, dtype=np.float32 if x.dtype == np.float32 else np.float64)
    for index in np.ndindex(x.shape[:-1]):
        a, b = float(x[index][0]), float(x[index][1])
        out[index][0] = a * math.cos(angle) - b * math.sin(angle)
        out[index][1] = a * math.sin(angle) + b * math.cos(angle)
    return out


def rope_frequencies(d_head, base=10000.0):
    if d_head < 2 or d_head % 2 == 1 or base <= 0:
        raise ValueError("an even width and a positive base are needed")
    frequencies = np.zeros(d_head // 2)
    for i in range(d_head // 2):
        frequencies[i] = 1 / base ** (2 * i / d_head)
    return frequencies


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or (positions.shape != x.shape[:-1] and positions.shape != x.shape[-2:-1]):
        raise ValueError(f"positions {positions.shape} for rows {x.shape}")
    frequencies = rope_frequencies(x.shape[-1], base)
    out = np.zeros(x.shape, dtype=np.float32 if x.dtype == np.float32 else np.float64)
    for index in np.ndindex(x.shape[:-1]):
        p = positions[index] if positions.ndim > 1 else positions[index[-1]]
        for i, frequency in enumerate(frequencies):
            c, s = math.cos(p * frequency), math.sin(p * frequency)
            a, b = float(x[index][2 * i]), float(x[index][2 * i + 1])
            out[index][2 * i] = a * c - b * s
            out[index][2 * i + 1] = a * s + b * c
    return out


def relative_scores(q, k, n, base=10000.0):
    if q.ndim != 1 or q.shape != k.shape or n < 0:
        raise ValueError("one query and one key of the same width are needed")
    dtype = np.float32 if q.dtype == np.float32 and k.dtype == np.float32 else np.float64
    q, k = q.astype(dtype), k.astype(dtype)
    rope_frequencies(len(q), base)
    scores = np.zeros((n, n), dtype=dtype)
    for i in range(n):
        query = apply_rope(q.reshape(1, -1), np.array([i]), base)[0]
        for j in range(n):
            key = apply_rope(k.reshape(1, -1), np.array([j]), base)[0]
            total = 0.0
            for a, b in zip(query, key, strict=True):
                total += float(a) * float(b)
            scores[i, j] = total
    return scores


def order_sensitivity(encode, X, perm):
    if X.ndim != 2:
        raise ValueError("the tokens are rows of a matrix")
    T = len(X)
    seen = [False] * T
    for p in perm:
        if p < 0 or p >= T or seen[p]:
            raise ValueError(f"{p} is out of range, or stands twice")
        seen[p] = True
    if not all(seen):
        raise ValueError("a token is missing")
    shuffled = np.zeros(X.shape, dtype=X.dtype)
    for i in range(T):
        shuffled[i] = X[perm[i]]
    before, after = encode(shuffled), encode(X)
    worst = 0.0
    for i in range(T):
        for a, b in zip(np.ravel(before[i]), np.ravel(after[perm[i]]), strict=True):
            worst = max(worst, abs(float(a) - float(b)))
    return worst
