"""A turn is a matrix: one of 2 x 2 for a vector, a block-diagonal one for a whole head."""

import numpy as np


def _out(*arrays):
    return np.dtype("f4") if all(a.dtype == np.dtype("f4") for a in arrays) else np.dtype("f8")


def _turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def sinusoidal_encoding(T, d_model, base=10000.0):
    if T < 0 or base <= 0 or d_model < 1 or d_model % 2 != 0:
        raise ValueError("sinusoidal_encoding: bad sizes")
    # Row p is row p-1, each pair turned by its frequency: [sin, cos] turns clockwise.
    step = _blocks(-rope_frequencies(d_model, base))
    rows = [np.tile([0.0, 1.0], d_model // 2)]
    for _ in range(T - 1):
        rows.append(step @ rows[-1])
    return np.array(rows[:T]).reshape(T, d_model)


def rotate_2d(x, angle):
    if x.ndim < 1 or x.shape[-1] != 2:
        raise ValueError("rotate_2d: the last axis must be 2")
    return (x @ _turn(angle).T).astype(_out(x))


def rope_frequencies(d_head, base=10000.0):
    if d_head % 2 or d_head < 2 or base <= 0:
        raise ValueError("rope_frequencies: bad width or base")
    return np.exp(-np.log(base) * np.arange(0, d_head, 2) / d_head)


def _blocks(angles):
    R = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = _turn(angle)
    return R


def apply_rope(x, positions, base=10000.0):
    if x.ndim < 2 or positions.shape not in {x.shape[:-1], x.shape[-2:-1]}:
        raise ValueError("apply_rope: positions do not fit")
    frequencies = rope_frequencies(x.shape[-1], base)
    R = np.array([_blocks(p * frequencies) for p in positions.ravel()])
    R = R.reshape(*positions.shape, x.shape[-1], x.shape[-1])
    return np.einsum("...tde,...te->...td", R, x).astype(_out(x))


def relative_scores(q, k, n, base=10000.0):
    if q.shape != k.shape or q.ndim != 1 or n < 0:
        raise ValueError("relative_scores: bad shapes")
    frequencies = rope_frequencies(len(q), base)
    scores = np.empty((n, n), dtype=_out(q, k))
    for distance in range(1 - n, n):
        # q turned by i, dotted with k turned by j, is q turned by i - j, dotted with k.
        score = (_blocks(distance * frequencies) @ q) @ k
        for i in range(max(0, distance), min(n, n + distance)):
            scores[i, i - distance] = score
    return scores


def order_sensitivity(encode, X, perm):
    T = X.shape[0]
    P = np.zeros((T, T))
    if X.ndim != 2 or perm.shape != (T,) or np.any(perm < 0) or np.any(perm >= T):
        raise ValueError("order_sensitivity: no permutation")
    P[np.arange(T), perm] = 1
    if not np.array_equal(P @ P.T, np.eye(T)):
        raise ValueError("order_sensitivity: no permutation")
    before = encode((P @ X).astype(X.dtype))
    differences = np.abs(before - np.tensordot(P, encode(X), axes=1))
    return float(np.max(differences)) if differences.size else 0.0
