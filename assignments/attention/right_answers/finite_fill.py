"""Additive masks with large finite numbers; rows that see nothing are set to 0 afterwards."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def _common(*arrays):
    single = all(np.asarray(array).dtype == np.float32 for array in arrays)
    return tuple(np.asarray(array, dtype="f4" if single else "f8") for array in arrays)


def _bias(mask, scores):
    """0 where a key may be seen, the lowest number of the dtype where it may not."""
    if mask.dtype != np.dtype("bool"):
        raise ValueError(f"expected a boolean mask, got {mask.dtype}")
    if mask.ndim > scores.ndim:
        raise ValueError(f"mask {mask.shape} has more axes than scores {scores.shape}")
    mask = np.broadcast_to(mask, scores.shape)
    lowest = np.finfo(scores.dtype).min
    return np.where(mask, scores.dtype.type(0), lowest), mask.any(axis=-1, keepdims=True)


def softmax(x, axis=-1):
    (x,) = _common(x)
    hidden = np.isneginf(x)
    floor = np.finfo(x.dtype).min
    y = np.where(hidden, floor, x)
    with np.errstate(over="ignore"):
        e = np.where(hidden, 0, np.exp(y - y.max(axis=axis, keepdims=True)))
    s = e.sum(axis=axis, keepdims=True)
    return (e / (s + (s == 0))).astype(x.dtype)


def project_qkv(X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = _common(X, W_q, W_k, W_v)
    if X.ndim == 1 or W_q.shape[1] != W_k.shape[1]:
        raise ValueError("X needs rows, and queries are as wide as keys")
    return np.dot(X, W_q), np.dot(X, W_k), np.dot(X, W_v)


def attention_scores(Q, K):
    Q, K = _common(Q, K)
    if Q.ndim != K.ndim:
        raise ValueError(f"queries {Q.shape}, keys {K.shape}")
    return np.matmul(Q, np.moveaxis(K, -1, -2)) / float(Q.shape[-1]) ** 0.5


def attention_weights(Q, K, mask=None):
    scores = attention_scores(Q, K)
    if mask is None:
        return softmax(scores)
    bias, some = _bias(mask, scores)
    with np.errstate(over="ignore"):  # the lowest number and a bit: -inf does no harm
        return softmax(scores + bias) * some


def attention(Q, K, V, mask=None):
    Q, K, V = _common(Q, K, V)
    if V.ndim != K.ndim:
        raise ValueError(f"keys {K.shape}, values {V.shape}")
    return attention_weights(Q, K, mask) @ V


_Q, _K, _V = (np.array([[first], [second]]) for first, second in ((1.0, 2.0), (1.0, 3.0), (10.0, 20.0)))


def two_token_example(Q=_Q, K=_K, V=_V):
    Q, K, V = _common(Q, K, V)
    if V.ndim != 2:
        raise ValueError("values are rows")
    S = attention_scores(Q, K)
    A = softmax(np.where([[1, 0], [1, 1]], S, -1e9))
    return {"S": S, "A": A, "Z": A @ V}


def attention_steps(Q, K, V):
    Q, K, V = _common(Q, K, V)
    if len({array.shape[:-1] for array in (Q, K, V)}) > 1:
        raise ValueError("Q, K and V must be of one length")
    scores = attention_scores(Q, K)
    ahead = np.triu(np.ones(scores.shape[-2:], dtype=bool), 1)
    weights = softmax(scores - ahead.astype(scores.dtype) * 1e9)
    masked = scores.copy()
    masked[..., ahead] = -np.inf
    return {"scores": scores, "masked": masked, "weights": weights, "output": weights @ V}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = _common(X, W_q, W_k, W_v, W_o)
    if n_head <= 0:
        raise ValueError("n_head must be positive")
    d_head, rest = divmod(W_q.shape[1], n_head)
    if rest:
        raise ValueError(f"{W_q.shape[1]} is not a multiple of {n_head}")

    def split(P):
        return np.stack([P[..., h * d_head : (h + 1) * d_head] for h in range(n_head)])

    scores = attention_scores(split(X @ W_q), split(X @ W_k))
    if causal:
        T = X.shape[-2]
        scores = scores + np.triu(np.full((T, T), -1e9, dtype=scores.dtype), 1)
    return np.concatenate(list(softmax(scores) @ split(X @ W_v)), axis=-1) @ W_o


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = _common(Q, K, V, dZ)
    if dZ.shape[:-1] != Q.shape[:-1] or dZ.shape[-1] != V.shape[-1]:
        raise ValueError("dZ does not match the output")
    A = attention_weights(Q, K, mask)
    T = np.swapaxes
    dA = dZ @ T(V, -1, -2)
    dS = A * dA
    dS = dS - A * dS.sum(axis=-1, keepdims=True)
    dS = dS / float(np.sqrt(Q.shape[-1]))
    return dS @ K, T(dS, -1, -2) @ Q, T(A, -1, -2) @ dZ
