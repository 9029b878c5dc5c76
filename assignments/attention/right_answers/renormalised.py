"""Masks act after the exponential and rows are divided anew; it is the queries that are scaled."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def floats(*arrays):
    dtype = np.result_type(*arrays)
    dtype = np.float32 if dtype == np.float32 and all(a.dtype == np.float32 for a in arrays) else np.float64
    return [np.array(a, dtype=dtype) for a in arrays]


def softmax(x, axis=-1):
    (x,) = floats(x)
    top = x.max(axis=axis, keepdims=True)
    top[top == -np.inf] = 0
    with np.errstate(over="ignore"):
        x -= top
    np.exp(x, out=x)
    total = x.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    x /= total
    return x


def project_qkv(X, W_q, W_k, W_v):
    X, W_q, W_k, W_v = floats(X, W_q, W_k, W_v)
    if len(X.shape) < 2 or W_q.shape != W_k.shape:
        raise ValueError("X must have rows, and W_q and W_k must be alike")
    widths = np.cumsum([W_q.shape[1], W_k.shape[1]])
    Q, K, V = np.split(X @ np.hstack([W_q, W_k, W_v]), widths, axis=-1)
    return Q, K, V


def attention_scores(Q, K):
    Q, K = floats(Q, K)
    if len(Q.shape) != len(K.shape):
        raise ValueError("Q and K differ in axes")
    Q *= 1 / np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -2, -1)


def attention_weights(Q, K, mask=None):
    A = softmax(attention_scores(Q, K))
    if mask is None:
        return A
    if mask.dtype.kind != "b":
        raise ValueError("mask must be bool")
    if np.broadcast_shapes(mask.shape, A.shape) != A.shape:
        raise ValueError("mask does not fit")
    A = A * mask
    left = A.sum(axis=-1, keepdims=True)
    return A / np.where(left == 0, 1, left)


def attention(Q, K, V, mask=None):
    Q, K, V = floats(Q, K, V)
    if len(V.shape) != len(K.shape):
        raise ValueError("K and V differ in axes")
    return np.matmul(attention_weights(Q, K, mask), V)


def two_token_example(Q=None, K=None, V=None):
    if Q is None:
        Q = np.array([[1.0], [2.0]])
    if K is None:
        K = np.array([[1.0], [3.0]])
    if V is None:
        V = np.array([[10.0], [20.0]])
    Q, K, V = floats(Q, K, V)
    result = {"S": attention_scores(Q, K)}
    result["A"] = attention_weights(Q, K, np.tri(2) == 1)
    result["Z"] = attention(Q, K, V, np.tri(2) == 1)
    return result


def attention_steps(Q, K, V):
    Q, K, V = floats(Q, K, V)
    if not Q.shape[:-1] == K.shape[:-1] == V.shape[:-1]:
        raise ValueError("T differs")
    S = attention_scores(Q, K)
    M = S.copy()
    M[..., np.triu(np.ones(S.shape[-2:]), k=1) == 1] = -np.inf
    A = np.tril(softmax(S))
    A /= A.sum(axis=-1, keepdims=True)
    return {"output": A @ V, "weights": A, "masked": M, "scores": S}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = floats(X, W_q, W_k, W_v, W_o)
    if n_head < 1 or W_q.shape[-1] % n_head:
        raise ValueError("heads must divide the width")
    if W_v.shape != W_q.shape:
        raise ValueError("values must be as wide as queries and keys")
    mask = np.tri(X.shape[-2]).astype(bool) if causal else None
    parts = [np.split(W, n_head, axis=1) for W in (W_q, W_k, W_v)]
    # Each head's output meets its own rows of W_o; the sum over heads is the product with the merged heads.
    mixed = 0
    for Wq, Wk, Wv, Wo in zip(*parts, np.split(W_o, n_head, axis=0), strict=True):
        mixed = mixed + attention(X @ Wq, X @ Wk, X @ Wv, mask) @ Wo
    return mixed


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = floats(Q, K, V, dZ)
    A = attention_weights(Q, K, mask)
    Z = A @ V
    if Z.shape != dZ.shape:
        raise ValueError("dZ must have the shape of Z")
    scale = 1 / float(np.sqrt(Q.shape[-1]))
    # The mean of dA under A is dZ . Z, row by row.
    dS = A * (dZ @ V.swapaxes(-1, -2) - np.sum(dZ * Z, axis=-1, keepdims=True))
    return scale * (dS @ K), scale * (dS.swapaxes(-1, -2) @ Q), A.swapaxes(-1, -2) @ dZ
