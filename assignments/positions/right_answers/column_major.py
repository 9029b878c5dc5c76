"""Index notation on arrays in Fortran order: a turn is a 2 x 2 matrix for each position and pair."""

import numpy as np


def _pairs_of(width):
    pairs, left = divmod(width, 2)
    if left or pairs < 1:
        raise ValueError(f"{width} columns are no pairs")
    return pairs


def _fortran(x):
    return np.array(x, dtype=np.float32 if x.dtype == np.float32 else np.float64, order="F")


def _turns(angles, dtype):
    """[..., 2, 2]: from the second axis to the first."""
    cos, sin = np.cos(angles), np.sin(angles)
    return np.asfortranarray(np.moveaxis(np.array([[cos, -sin], [sin, cos]]), (0, 1), (-2, -1)), dtype=dtype)


def rope_frequencies(d_head, base=10000.0):
    if base <= 0:
        raise ValueError(f"base {base}")
    return np.power(float(base), -np.arange(_pairs_of(d_head)) / (d_head / 2))


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0:
        raise ValueError(f"{T} positions")
    angles = np.einsum("i,p->ip", rope_frequencies(d_model, base), np.arange(T))
    table = np.empty((2, len(angles), T), order="F")
    table[0], table[1] = np.sin(angles), np.cos(angles)
    return np.asfortranarray(np.einsum("sip->pis", table).reshape(T, d_model))


def rotate_2d(x, angle):
    if x.ndim == 0 or x.shape[-1] != 2:
        raise ValueError(f"{x.shape} are no vectors of the plane")
    x = _fortran(x)
    return np.asfortranarray(np.einsum("ab,...b->...a", _turns(angle, x.dtype), x))


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or (positions.shape != x.shape[-2:-1] and positions.shape != x.shape[:-1]):
        raise ValueError(f"{x.shape} at {positions.shape}")
    x, pairs = _fortran(x), _pairs_of(x.shape[-1])
    angles = np.einsum("...,i->...i", positions, rope_frequencies(x.shape[-1], base))
    turned = np.einsum("...iab,...ib->...ia", _turns(angles, x.dtype), x.reshape(*x.shape[:-1], pairs, 2))
    return np.asfortranarray(turned.reshape(x.shape))


def relative_scores(q, k, n, base=10000.0):
    if q.ndim != 1 or k.ndim != 1 or len(q) != len(k) or n < 0:
        raise ValueError(f"{q.shape}, {k.shape}, {n}")
    dtype = np.float32 if q.dtype == k.dtype == np.float32 else np.float64
    R = _turns(np.einsum("p,i->pi", np.arange(n), rope_frequencies(len(q), base)), np.float64)
    q, k = (v.astype(np.float64).reshape(-1, 2) for v in (q, k))
    return np.einsum("tiab,ib,siac,ic->ts", R, q, R, k, optimize=True).astype(dtype, order="F")


def order_sensitivity(encode, X, perm):
    if X.ndim != 2 or perm.shape != (len(X),) or perm.dtype.kind not in "iu":
        raise ValueError("a permutation of the tokens is needed")
    P = perm[:, None] == np.arange(len(X))  # [T, T]: one True a row, and a column
    if not (P.sum(axis=0) == 1).all() or not (P.sum(axis=1) == 1).all():
        raise ValueError("each token once")
    shuffled, straight = (np.asfortranarray(encode(tokens), dtype=np.float64) for tokens in (X[perm], X))
    moved = np.einsum("ts,s...->t...", P.astype(float), straight)
    return float(np.abs(shuffled - moved).max(initial=0.0))
