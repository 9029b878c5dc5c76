"""Attention, all in einsum."""

from __future__ import annotations

import math

import numpy as np


def as_floats(*arrays):
    dtypes = {np.asarray(array).dtype for array in arrays}
    dtype = np.float32 if dtypes == {np.dtype(np.float32)} else np.float64
    return [np.asarray(array, dtype=dtype) for array in arrays]


def sizes(letters, *arrays):
    """Give every letter one size, in all arrays; "..." are the batch axes."""
    known = {}
    for names, array in zip(letters.split(), arrays):
        shape = np.shape(array)
        if names.startswith("..."):
            names = names[3:]
            if len(shape) < len(names):
                raise ValueError(f"too few axes: {shape}")
            cut = len(shape) - len(names)
            pairs = [("...", shape[:cut]), *zip(names, shape[cut:])]
        else:
            if len(shape) != len(names):
                raise ValueError(f"wrong number of axes: {shape}")
            pairs = list(zip(names, shape))
        for name, size in pairs:
            if known.setdefault(name, size) != size:
                raise ValueError(f"{name} is {known[name]} in one array and {size} in another: {shape}")
    return known


def softmax(x, axis=-1):
    (x,) = as_floats(x)
    x = np.moveaxis(x, axis, -1)
    highest = np.max(x, axis=-1, initial=-np.inf)
    highest = np.where(np.isneginf(highest), 0, highest)
    with np.errstate(over="ignore"):
        e = np.exp(x - highest[..., None])
    total = np.einsum("...k->...", e)
    share = np.einsum("...k,...->...k", e, 1 / np.where(total == 0, 1, total))
    return np.moveaxis(share, -1, axis)


def project_qkv(X, W_q, W_k, W_v):
    sizes("...tm mk mk mv", X, W_q, W_k, W_v)
    X, W_q, W_k, W_v = as_floats(X, W_q, W_k, W_v)
    return tuple(np.einsum("...tm,mk->...tk", X, W) for W in (W_q, W_k, W_v))


def attention_scores(Q, K):
    d_k = sizes("...qd ...kd", Q, K)["d"]
    if d_k == 0:
        raise ValueError("the queries and keys have no width")
    Q, K = as_floats(Q, K)
    return np.einsum("...qd,...kd->...qk", Q, K) * d_k**-0.5


def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is None:
        return softmax(S)
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(f"the mask must be boolean, it is {mask.dtype}")
    return softmax(np.where(np.broadcast_to(mask, S.shape), S, -math.inf))


def attention(Q, K, V, mask=None):
    sizes("...qd ...kd ...kv", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    return np.einsum("...qk,...kv->...qv", attention_weights(Q, K, mask), V)


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    sizes("td td tv", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    A = attention_weights(Q, K, np.array([[True, False], [True, True]]))
    return {"S": attention_scores(Q, K), "A": A, "Z": np.einsum("qk,kv->qv", A, V)}


def attention_steps(Q, K, V):
    T = sizes("...td ...td ...tv", Q, K, V)["t"]
    Q, K, V = as_floats(Q, K, V)
    scores = attention_scores(Q, K)
    q, k = np.ogrid[:T, :T]
    masked = np.where(k <= q, scores, -math.inf)
    weights = softmax(masked)
    return {
        "scores": scores,
        "masked": masked,
        "weights": weights,
        "output": np.einsum("...qk,...kv->...qv", weights, V),
    }


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    found = sizes("...ti ic ic ic co", X, W_q, W_k, W_v, W_o)
    if n_head < 1 or found["c"] % n_head != 0:
        raise ValueError(f"{found['c']} columns for {n_head} heads")
    X, W_q, W_k, W_v, W_o = as_floats(X, W_q, W_k, W_v, W_o)
    d = found["c"] // n_head
    W_q, W_k, W_v = (W.reshape(found["i"], n_head, d) for W in (W_q, W_k, W_v))
    Q, K, V = (np.einsum("...ti,ihd->...htd", X, W) for W in (W_q, W_k, W_v))
    Z = attention(Q, K, V, np.tri(found["t"], dtype=bool) if causal else None)
    return np.einsum("...htd,hdo->...to", Z, W_o.reshape(n_head, d, found["o"]))


def attention_backward(Q, K, V, dZ, mask=None):
    d_k = sizes("...qd ...kd ...kv ...qv", Q, K, V, dZ)["d"]
    Q, K, V, dZ = as_floats(Q, K, V, dZ)
    A = attention_weights(Q, K, mask)
    dV = np.einsum("...qk,...qv->...kv", A, dZ)
    dA = np.einsum("...qv,...kv->...qk", dZ, V)
    mean = np.einsum("...qk,...qk->...q", A, dA)
    dS = np.einsum("...qk,...qk->...qk", A, dA - mean[..., None]) * d_k**-0.5
    return np.einsum("...qk,...kd->...qd", dS, K), np.einsum("...qk,...qd->...kd", dS, Q), dV
