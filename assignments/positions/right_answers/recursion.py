"""Each row, pair and turn from the one before it, and batches taken apart axis by axis."""

import math

import numpy as np


def _kind(*arrays):
    return np.float32 if all(array.dtype == np.float32 for array in arrays) else np.float64


def _turn(pair, angle):
    a, b = pair
    return [a * math.cos(angle) - b * math.sin(angle), b * math.cos(angle) + a * math.sin(angle)]


def _falling(first, factor, n):
    return [] if n == 0 else [first, *_falling(first * factor, factor, n - 1)]


def rope_frequencies(d_head, base=10000.0):
    if d_head <= 0 or d_head % 2 or base <= 0:
        raise ValueError("an even width and a positive base, please")
    return np.array(_falling(1.0, base ** (-2 / d_head), d_head // 2))


def _row(p, frequencies):
    if not frequencies:
        return []
    angle = p * frequencies[0]
    return [math.sin(angle), math.cos(angle), *_row(p, frequencies[1:])]


def sinusoidal_encoding(T, d_model, base=10000.0):
    frequencies = rope_frequencies(d_model, base).tolist()
    if T < 0:
        raise ValueError("fewer than no positions")
    if T == 0:
        return np.empty((0, d_model))
    return np.vstack([sinusoidal_encoding(T - 1, d_model, base), _row(T - 1, frequencies)])


def _each(x, axes, work):
    """Do the work on the innermost `axes` axes of x, as lists."""
    if x.ndim == axes:
        return work(x.tolist())
    return [_each(part, axes, work) for part in x]


def rotate_2d(x, angle):
    if x.shape[-1:] != (2,):
        raise ValueError("a vector of the plane is two numbers")
    return np.array(_each(x, 1, lambda pair: _turn(pair, angle)), dtype=_kind(x)).reshape(x.shape)


def _turned(row, p, frequencies):
    if not row:
        return []
    return _turn(row[:2], p * frequencies[0]) + _turned(row[2:], p, frequencies[1:])


def _rope(x, positions, frequencies):
    if x.ndim == 1:
        return _turned(x.tolist(), float(positions), frequencies)
    shared = positions.ndim < x.ndim - 1
    return [_rope(part, positions if shared else positions[n], frequencies) for n, part in enumerate(x)]


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or positions.shape not in (x.shape[:-1], x.shape[-2:-1]):
        raise ValueError("a position for each row")
    frequencies = rope_frequencies(x.shape[-1], base).tolist()
    return np.array(_rope(x, positions, frequencies), dtype=_kind(x)).reshape(x.shape)


def _dot(a, b):
    return 0.0 if not a else a[0] * b[0] + _dot(a[1:], b[1:])


def relative_scores(q, k, n, base=10000.0):
    if n < 0 or q.ndim != 1 or q.shape != k.shape:
        raise ValueError("one query and one key of one width")
    frequencies = rope_frequencies(len(q), base).tolist()

    def grown(size):
        """The scores of `size` positions: those of one fewer, the first row and column put before them."""
        if size == 0:
            return np.empty((0, 0))
        out = np.empty((size, size))
        out[1:, 1:] = grown(size - 1)
        for step in range(size):
            out[step, 0] = _dot(_turned(q.tolist(), step, frequencies), k.tolist())
            out[0, step] = _dot(q.tolist(), _turned(k.tolist(), step, frequencies))
        return out

    return grown(n).astype(_kind(q, k))


def _largest(nested):
    if not isinstance(nested, list):
        return abs(nested)
    return max(map(_largest, nested), default=0.0)


def order_sensitivity(encode, X, perm):
    if X.ndim != 2 or perm.ndim != 1 or sorted(perm.tolist()) != list(range(len(X))):
        raise ValueError("no permutation of the tokens")
    shuffled, straight = encode(X[perm]), encode(X)
    gaps = [after.astype(float) - straight[p].astype(float) for after, p in zip(shuffled, perm, strict=True)]
    return float(_largest([gap.tolist() for gap in gaps]))
