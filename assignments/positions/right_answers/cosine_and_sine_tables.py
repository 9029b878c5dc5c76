"""x * cos + (x turned by a quarter) * sin, as libraries write it, with each angle twice in a row."""

import numpy as np


def _even(width):
    if width < 2 or width % 2:
        raise ValueError(f"{width} is not an even width")


def _angles(positions, width, base):
    return np.repeat(np.asarray(positions)[..., np.newaxis] * rope_frequencies(width, base), 2, axis=-1)


def sinusoidal_encoding(T, d_model, base=10000.0):
    _even(d_model)
    if T < 0 or base <= 0:
        raise ValueError("T and base must not be negative")
    phase = np.tile([0, np.pi / 2], d_model // 2)
    return np.sin(_angles(np.arange(T), d_model, base) + phase)


def _quarter(x):
    turned = np.empty_like(x)
    turned[..., ::2] = -x[..., 1::2]
    turned[..., 1::2] = x[..., ::2]
    return turned


def rotate_2d(x, angle):
    if np.shape(x)[-1:] != (2,):
        raise ValueError("two coordinates are needed")
    x = x if x.dtype == np.float32 else x.astype(np.float64)
    return x * x.dtype.type(np.cos(angle)) + _quarter(x) * x.dtype.type(np.sin(angle))


def rope_frequencies(d_head, base=10000.0):
    _even(d_head)
    if base <= 0:
        raise ValueError("base must be positive")
    return 1.0 / (base ** (np.arange(0, d_head, 2, dtype=np.float64) / d_head))


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2:
        raise ValueError("x is [..., T, d_head]")
    if positions.shape != x.shape[:-1] and positions.shape != (x.shape[-2],):
        raise ValueError("a position for each token, please")
    x = x if x.dtype == np.float32 else x.astype(np.float64)
    angles = _angles(positions, x.shape[-1], base)
    return x * np.cos(angles).astype(x.dtype) + _quarter(x) * np.sin(angles).astype(x.dtype)


def relative_scores(q, k, n, base=10000.0):
    if n < 0:
        raise ValueError("n must not be negative")
    if q.shape != k.shape or q.ndim != 1:
        raise ValueError("q and k are [d_head]")
    if not q.dtype == k.dtype == np.float32:
        q, k = q.astype(np.float64), k.astype(np.float64)
    everywhere = np.arange(n)
    Q = apply_rope(np.repeat(q[np.newaxis], n, axis=0), everywhere, base)
    K = apply_rope(np.repeat(k[np.newaxis], n, axis=0), everywhere, base)
    return np.einsum("id,jd->ij", Q, K)


def order_sensitivity(encode, X, perm):
    if X.ndim != 2:
        raise ValueError("X is [T, d]")
    if not np.array_equal(np.bincount(np.clip(perm, 0, None), minlength=len(X)), np.ones(len(X))) or (perm < 0).any():
        raise ValueError("every token must come once")
    if len(X) == 0:
        return 0.0
    inverse = np.argsort(perm)
    back = encode(X[perm])[inverse]
    return float(np.abs(back.astype(np.float64) - encode(X)).max())
