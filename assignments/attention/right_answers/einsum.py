"""Every product an einsum; shapes are compared by hand, because einsum stretches axes of length 1."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def _dtype(*arrays):
    return np.float32 if all(a.dtype == np.float32 for a in arrays) else np.float64


def _need(condition, *arrays):
    if not condition:
        raise ValueError("shapes do not fit: " + ", ".join(str(a.shape) for a in arrays))


def softmax(x, axis=-1):
    x = x.astype(_dtype(x))
    biggest = np.nan_to_num(np.amax(x, axis=axis, keepdims=True), neginf=0.0)
    with np.errstate(over="ignore"):
        powers = np.exp(x - biggest)
    sums = np.expand_dims(np.sum(powers, axis=axis), axis)
    return np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0)


def project_qkv(X, W_q, W_k, W_v):
    matrices = (W_q, W_k, W_v)
    _need(X.ndim > 1 and W_q.shape == W_k.shape, X, *matrices)
    _need(all(W.ndim == 2 and W.shape[0] == X.shape[-1] for W in matrices), X, *matrices)
    dtype = _dtype(X, *matrices)
    return tuple(np.einsum("...td,de->...te", X.astype(dtype), W.astype(dtype)) for W in matrices)


def attention_scores(Q, K):
    _need(Q.shape[-1] == K.shape[-1] and Q.shape[:-2] == K.shape[:-2], Q, K)
    dtype = _dtype(Q, K)
    scores = np.einsum("...qd,...kd->...qk", Q.astype(dtype), K.astype(dtype))
    return scores * Q.shape[-1] ** -0.5


def attention_weights(Q, K, mask=None):
    scores = attention_scores(Q, K)
    if mask is None:
        return softmax(scores)
    if mask.dtype != bool or mask.ndim > scores.ndim:
        raise ValueError("the mask must be boolean and no larger than the scores")
    return softmax(np.where(np.broadcast_to(mask, scores.shape), scores, -np.inf))


def attention(Q, K, V, mask=None):
    _need(K.shape[:-1] == V.shape[:-1], K, V)
    Q, K, V = (a.astype(_dtype(Q, K, V)) for a in (Q, K, V))
    return np.einsum("...qk,...kv->...qv", attention_weights(Q, K, mask), V)


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    dtype = _dtype(Q, K, V)
    Q, K, V = Q.astype(dtype), K.astype(dtype), V.astype(dtype)
    A = attention_weights(Q, K, np.array([[True, False], [True, True]]))
    return {"S": attention_scores(Q, K), "A": A, "Z": np.einsum("ij,jv->iv", A, V)}


def attention_steps(Q, K, V):
    _need(Q.shape[:-1] == K.shape[:-1] == V.shape[:-1], Q, K, V)
    Q, K, V = (a.astype(_dtype(Q, K, V)) for a in (Q, K, V))
    scores = attention_scores(Q, K)
    T = scores.shape[-1]
    masked = np.where(np.arange(T)[:, None] >= np.arange(T), scores, -np.inf)
    weights = softmax(masked)
    return {
        "scores": scores,
        "masked": masked,
        "weights": weights,
        "output": np.einsum("...qk,...kv->...qv", weights, V),
    }


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    dtype = _dtype(X, W_q, W_k, W_v, W_o)
    X, W_q, W_k, W_v, W_o = (a.astype(dtype) for a in (X, W_q, W_k, W_v, W_o))
    width = W_q.shape[1]
    if n_head < 1 or width % n_head != 0:
        raise ValueError(f"{n_head} heads cannot share {width} columns")
    _need(W_k.shape == W_q.shape == W_v.shape and W_o.shape[0] == width, W_q, W_k, W_v, W_o)
    Q, K, V = (P.reshape(*P.shape[:-1], n_head, -1) for P in project_qkv(X, W_q, W_k, W_v))
    scores = np.einsum("...qhd,...khd->...hqk", Q, K) * Q.shape[-1] ** -0.5
    if causal:
        T = scores.shape[-1]
        scores = np.where(np.tri(T, dtype=bool), scores, -np.inf)
    Z = np.einsum("...hqk,...khd->...qhd", softmax(scores), V)
    Z = Z.reshape(*Z.shape[:-2], width)
    return np.einsum("...te,eo->...to", Z, W_o)


def attention_backward(Q, K, V, dZ, mask=None):
    _need(K.shape[:-1] == V.shape[:-1], K, V)
    _need(dZ.shape == (*Q.shape[:-1], V.shape[-1]), Q, V, dZ)
    Q, K, V, dZ = (a.astype(_dtype(Q, K, V, dZ)) for a in (Q, K, V, dZ))
    A = attention_weights(Q, K, mask)
    dA = np.einsum("...qv,...kv->...qk", dZ, V)
    mean = np.einsum("...qk,...qk->...q", A, dA)
    dS = A * (dA - mean[..., None]) * Q.shape[-1] ** -0.5
    return (
        np.einsum("...qk,...kd->...qd", dS, K),
        np.einsum("...qk,...qd->...kd", dS, Q),
        np.einsum("...qk,...qv->...kv", A, dZ),
    )
