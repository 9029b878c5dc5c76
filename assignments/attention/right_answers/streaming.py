"""Keys are seen one after the other, with a running maximum and a running sum, as long sequences are treated."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def _prepare(*arrays):
    kind = np.float32 if all(x.dtype == np.float32 for x in arrays) else float
    return [np.ascontiguousarray(x, dtype=kind) for x in arrays]


def _check(ok, message):
    if not ok:
        raise ValueError(message)


def _stream(slices):
    """Running maximum, and running sum of exponentials relative to it, over an iterable of arrays."""
    m = s = None
    for x in slices:
        if m is None:
            m, s = np.full_like(x, -np.inf), np.zeros_like(x)
        new = np.maximum(m, x)
        base = np.where(np.isinf(new), 0, new)
        with np.errstate(over="ignore"):
            s = s * np.exp(m - base) + np.exp(x - base)
        m = new
    return np.where(np.isinf(m), 0, m), np.where(s == 0, 1, s)


def softmax(x, axis=-1):
    [x] = _prepare(x)
    front = np.moveaxis(x, axis, 0)
    m, s = _stream(front)
    out = np.empty_like(front)
    for n, line in enumerate(front):
        with np.errstate(over="ignore"):
            out[n] = np.exp(line - m) / s
    return np.moveaxis(out, 0, axis)


def project_qkv(X, W_q, W_k, W_v):
    X, *Ws = _prepare(X, W_q, W_k, W_v)
    _check(X.ndim > 1 and W_q.shape == W_k.shape, "rows of X, and queries as wide as keys")
    for W in Ws:
        _check(W.shape[0] == X.shape[-1], f"{X.shape} @ {W.shape}")
    return tuple(sum(X[..., [i]] * W[i] for i in range(X.shape[-1])) for W in Ws)


def _column(Q, K, j):
    """The scores of all queries with key j."""
    return (Q * K[..., [j], :]).sum(axis=-1) / np.sqrt(np.array(Q.shape[-1], dtype=Q.dtype))


def _columns(Q, K, mask=None):
    _check(Q.ndim == K.ndim and Q.shape[-1] == K.shape[-1] and Q.shape[:-2] == K.shape[:-2], f"{Q.shape} and {K.shape}")
    shape = (*Q.shape[:-1], K.shape[-2])
    if mask is not None:
        _check(mask.dtype == bool, "the mask is not boolean")
        _check(mask.ndim <= len(shape), "the mask has more axes than the scores")
        mask = np.broadcast_to(mask, shape)
    for j in range(shape[-1]):
        column = _column(Q, K, j)
        yield column if mask is None else np.where(mask[..., j], column, -np.inf)


def attention_scores(Q, K):
    return np.stack(list(_columns(*_prepare(Q, K))), axis=-1)


def _weights(Q, K, mask=None):
    m, s = _stream(_columns(Q, K, mask))
    return np.stack([np.exp(column - m) / s for column in _columns(Q, K, mask)], axis=-1)


def attention_weights(Q, K, mask=None):
    return _weights(*_prepare(Q, K), mask)


def attention(Q, K, V, mask=None):
    Q, K, V = _prepare(Q, K, V)
    _check(V.shape[:-1] == K.shape[:-1], "a value for each key")
    m, s = _stream(_columns(Q, K, mask))
    Z = np.zeros((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    for j, column in enumerate(_columns(Q, K, mask)):
        Z += (np.exp(column - m) / s)[..., np.newaxis] * V[..., [j], :]
    return Z


def two_token_example(Q=None, K=None, V=None):
    defaults = ([[1.0], [2.0]], [[1.0], [3.0]], [[10.0], [20.0]])
    Q, K, V = _prepare(*(np.array(d) if x is None else x for x, d in zip((Q, K, V), defaults, strict=True)))
    mask = ~np.eye(2, k=1, dtype=bool)
    return {"Z": attention(Q, K, V, mask), "A": _weights(Q, K, mask), "S": attention_scores(Q, K)}


def attention_steps(Q, K, V):
    Q, K, V = _prepare(Q, K, V)
    T = Q.shape[-2]
    _check(Q.shape[:-1] == K.shape[:-1] == V.shape[:-1], "one length for all")
    mask = np.tri(T, dtype=bool)
    scores = attention_scores(Q, K)
    return {
        "scores": scores,
        "masked": np.stack(list(_columns(Q, K, mask)), axis=-1),
        "weights": _weights(Q, K, mask),
        "output": attention(Q, K, V, mask),
    }


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = _prepare(X, W_q, W_k, W_v, W_o)
    _check(n_head > 0 and W_q.shape[1] % max(n_head, 1) == 0, "heads of equal width, at least one")
    T, d = X.shape[-2], W_q.shape[1] // n_head
    mask = np.tri(T, dtype=bool) if causal else None
    out = np.zeros((*X.shape[:-1], n_head, d), dtype=X.dtype)
    for h, (q, k, v) in enumerate(zip(*(np.hsplit(W, n_head) for W in (W_q, W_k, W_v)), strict=True)):
        out[..., h, :] = attention(X @ q, X @ k, X @ v, mask)
    return out.reshape(*X.shape[:-1], n_head * d) @ W_o


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = _prepare(Q, K, V, dZ)
    Z = attention(Q, K, V, mask)
    _check(Z.shape == dZ.shape, f"{Z.shape} and {dZ.shape}")
    A = _weights(Q, K, mask)
    D = (dZ * Z).sum(axis=-1)
    dQ, dK, dV = np.zeros_like(Q), np.zeros_like(K), np.zeros_like(V)
    for j in range(K.shape[-2]):
        a = A[..., j]
        ds = a * ((dZ * V[..., [j], :]).sum(axis=-1) - D) / np.sqrt(np.array(Q.shape[-1], dtype=Q.dtype))
        dQ += ds[..., np.newaxis] * K[..., [j], :]
        dK[..., j, :] = (ds[..., np.newaxis] * Q).sum(axis=-2)
        dV[..., j, :] = (a[..., np.newaxis] * dZ).sum(axis=-2)
    return dQ, dK, dV
