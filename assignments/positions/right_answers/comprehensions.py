"""Lists of numbers, built in one go, and turned into arrays at the end."""

from math import cos, pi, sin

import numpy as np


def _dtype(*arrays):
    return np.float32 if {a.dtype for a in arrays} == {np.dtype(np.float32)} else np.float64


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0:
        raise ValueError("there are no texts of negative length")
    frequencies = rope_frequencies(d_model, base)
    rows = [[wave(p * f) for f in frequencies for wave in (sin, cos)] for p in range(T)]
    return np.array(rows).reshape(T, d_model)


def rotate_2d(x, angle):
    *lead, last = x.shape
    if last != 2:
        raise ValueError(f"expected two numbers a vector, got {last}")
    turned = [
        (a * cos(angle) + b * cos(angle + pi / 2), a * sin(angle) + b * sin(angle + pi / 2))
        for a, b in x.reshape(-1, 2).tolist()
    ]
    return np.array(turned, dtype=_dtype(x)).reshape(*lead, 2)


def rope_frequencies(d_head, base=10000.0):
    if d_head not in range(2, d_head + 1, 2) or base <= 0:
        raise ValueError("d_head must be even and base positive")
    return np.array([base ** (-c / d_head) for c in range(0, d_head, 2)])


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or not (positions.shape == x.shape[:-1] or positions.shape == x.shape[-2:-1]):
        raise ValueError("shapes of x and positions do not fit")
    frequencies = rope_frequencies(x.shape[-1], base).tolist()
    where = np.broadcast_to(positions, x.shape[:-1]).ravel().tolist()
    rows = x.reshape(-1, x.shape[-1]).tolist()
    turned = [
        [part for f, a, b in zip(frequencies, row[::2], row[1::2], strict=True) for part in _turn(a, b, p * f)]
        for p, row in zip(where, rows, strict=True)
    ]
    return np.array(turned, dtype=_dtype(x)).reshape(x.shape)


def _turn(a, b, angle):
    return a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle)


def relative_scores(q, k, n, base=10000.0):
    if n < 0 or q.shape != k.shape or q.ndim != 1:
        raise ValueError("q and k must be alike, and n not negative")
    frequencies = rope_frequencies(len(q), base).tolist()
    dots = [
        a * c + b * d
        for a, b, c, d in zip(q[::2].tolist(), q[1::2].tolist(), k[::2].tolist(), k[1::2].tolist(), strict=True)
    ]
    crosses = [
        a * d - b * c
        for a, b, c, d in zip(q[::2].tolist(), q[1::2].tolist(), k[::2].tolist(), k[1::2].tolist(), strict=True)
    ]

    def score(distance):
        return sum(
            u * cos(distance * f) + v * sin(distance * f) for f, u, v in zip(frequencies, dots, crosses, strict=True)
        )

    scores = [[score(i - j) for j in range(n)] for i in range(n)]
    return np.array(scores, dtype=_dtype(q, k)).reshape(n, n)


def order_sensitivity(encode, X, perm):
    if X.ndim != 2 or sorted(perm) != list(range(len(X))):
        raise ValueError("perm must hold every row once")
    before, after = encode(X[perm]).tolist(), encode(X).tolist()
    rows = [zip(_flat(before[i]), _flat(after[p]), strict=True) for i, p in enumerate(perm)]
    return max((abs(a - b) for row in rows for a, b in row), default=0.0)


def _flat(value):
    return [number for part in value for number in _flat(part)] if isinstance(value, list) else [value]
