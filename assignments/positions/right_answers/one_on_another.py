"""Each function is made of those before it."""

import numpy as np


def computed(x):
    return x if x.dtype == np.float32 else x.astype(np.float64)


def rope_frequencies(d_head, base=10000.0):
    if not (d_head > 0 and d_head % 2 == 0 and base > 0):
        raise ValueError(f"d_head = {d_head}, base = {base}")
    return np.power(float(base), np.linspace(0, -1, d_head // 2, endpoint=False))


def rotate_2d(x, angle):
    if x.shape == () or x.shape[-1] != 2:
        raise ValueError(f"x is {x.shape}, not [..., 2]")
    x = computed(x)
    angle = np.asarray(angle, dtype=np.float64)[..., None]
    across = x[..., ::-1] * np.array([-1, 1], dtype=x.dtype)
    return (np.cos(angle) * x + np.sin(angle) * across).astype(x.dtype)


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or (positions.shape != x.shape[-2:-1] and positions.shape != x.shape[:-1]):
        raise ValueError(f"x is {x.shape}, positions are {positions.shape}")
    frequencies = rope_frequencies(x.shape[-1], base)
    pairs = np.split(x, len(frequencies), axis=-1)
    turned = [rotate_2d(pair, positions * f) for pair, f in zip(pairs, frequencies, strict=True)]
    return np.concatenate(turned, axis=-1)


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0:
        raise ValueError(f"T = {T}")
    rope_frequencies(d_model, base)
    # [0, 1] turned by minus an angle is [sin, cos] of it.
    north = np.tile([0.0, 1.0], (T, d_model // 2))
    return apply_rope(north, -np.arange(T), base)


def relative_scores(q, k, n, base=10000.0):
    if n < 0 or q.ndim != 1 or q.shape != k.shape:
        raise ValueError(f"q is {q.shape}, k is {k.shape}, n = {n}")
    if q.dtype != k.dtype:
        q, k = q.astype(np.float64), k.astype(np.float64)
    at = np.arange(n)
    queries = apply_rope(np.broadcast_to(q, (n, len(q))), at, base)
    keys = apply_rope(np.broadcast_to(k, (n, len(k))), at, base)
    return np.inner(queries, keys)


def order_sensitivity(encode, X, perm):
    rows = np.arange(len(X))
    if X.ndim != 2 or perm.shape != rows.shape or not np.isin(rows, perm).all():
        raise ValueError(f"{perm} is no permutation")
    before, after = encode(X[perm]), encode(X)[perm]
    # The larger minus the smaller: no unsigned number ever goes below 0.
    return float((np.maximum(before, after) - np.minimum(before, after)).max(initial=0))
