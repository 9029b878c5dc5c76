"""What comes in float32 stays there throughout: every constant, and every sum, one term after another."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import numpy as np


def arrays_of(*arrays):
    dtype = np.dtype(np.float32)
    for array in arrays:
        if array.dtype != dtype:
            dtype = np.dtype(np.float64)
            break
    return dtype.type, [np.array(array, dtype=dtype) for array in arrays]


def summed(x, axis):
    """A running sum in the dtype of x, and its last line."""
    return np.take(np.cumsum(x, axis=axis, dtype=x.dtype), [-1], axis=axis)


def times(A, B):
    """A product as a sum of outer products, each added to the one before."""
    if min(A.ndim, B.ndim) < 2 or A.shape[-1] != B.shape[-2]:
        raise ValueError(f"{A.shape} times {B.shape}")
    out = np.zeros((*A.shape[:-1], B.shape[-1]), dtype=A.dtype)
    for n in range(A.shape[-1]):
        out += A[..., :, n, None] * B[..., n, None, :]
    return out


def flipped(x):
    return np.swapaxes(x, -1, -2)


def softmax(x, axis=-1):
    number, (x,) = arrays_of(x)
    with np.errstate(over="ignore"):
        top = np.amax(x, axis=axis, keepdims=True)
        E = np.exp(x - np.where(top == -np.inf, number(0), top))
    whole = summed(E, axis)
    return E / np.where(whole == 0, number(1), whole)


def project_qkv(X, W_q, W_k, W_v):
    _, (X, W_q, W_k, W_v) = arrays_of(X, W_q, W_k, W_v)
    return times(X, W_q), times(X, W_k), times(X, W_v)


def attention_scores(Q, K):
    number, (Q, K) = arrays_of(Q, K)
    if min(Q.ndim, K.ndim) < 2 or Q.shape[:-2] != K.shape[:-2]:
        raise ValueError("a row is no matrix, and two batches are not one")
    scale = number(1) / np.sqrt(number(Q.shape[-1]))
    return times(Q, flipped(K)) * scale


def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        if mask.dtype != np.bool_ or mask.ndim > S.ndim:
            raise ValueError("this is no mask for these scores")
        np.putmask(S, ~np.broadcast_to(mask, S.shape), S.dtype.type(-np.inf))
    return softmax(S)


def attention(Q, K, V, mask=None):
    _, (Q, K, V) = arrays_of(Q, K, V)
    if Q.ndim != V.ndim:
        raise ValueError("values of another number of axes")
    return times(attention_weights(Q, K, mask), V)


def two_token_example(Q=None, K=None, V=None):
    given = zip((Q, K, V), ((1, 2), (1, 3), (10, 20)), strict=True)
    _, (Q, K, V) = arrays_of(
        *(np.array(lecture, dtype=float).reshape(2, 1) if x is None else x for x, lecture in given)
    )
    A = attention_weights(Q, K, ~np.array([[False, True], [False, False]]))
    return {"S": attention_scores(Q, K), "A": A, "Z": times(A, V)}


def attention_steps(Q, K, V):
    number, (Q, K, V) = arrays_of(Q, K, V)
    if Q.shape[-2] != K.shape[-2]:
        raise ValueError("a key for every query")
    scores = attention_scores(Q, K)
    ahead = np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1)
    masked = np.where(ahead, number(-np.inf), scores)
    weights = softmax(masked)
    return {"scores": scores, "masked": masked, "weights": weights, "output": times(weights, V)}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    number, (X, W_q, W_k, W_v, W_o) = arrays_of(X, W_q, W_k, W_v, W_o)
    width = W_q.shape[-1]
    if n_head < 1 or width % n_head or not width == W_k.shape[-1] == W_v.shape[-1] == len(W_o):
        raise ValueError("the width does not divide")
    T, d = X.shape[-2], width // n_head
    # Additive, with the lowest number of the dtype: that is all a row needs that always sees itself.
    bias = np.triu(np.full((T, T), np.finfo(number).min, dtype=number), k=1) if causal else number(0)
    out = number(0)
    for start in range(0, width, d):
        q, k, v = (times(X, W[:, start : start + d]) for W in (W_q, W_k, W_v))
        with np.errstate(over="ignore"):
            A = softmax(attention_scores(q, k) + bias)
        out = out + times(times(A, v), W_o[start : start + d])
    return out


def attention_backward(Q, K, V, dZ, mask=None):
    number, (Q, K, V, dZ) = arrays_of(Q, K, V, dZ)
    if dZ.shape[:-1] != Q.shape[:-1]:
        raise ValueError("a gradient for every output")
    A = attention_weights(Q, K, mask)
    dA = times(dZ, flipped(V))
    dS = A * (dA - summed(A * dA, -1)) / np.sqrt(number(Q.shape[-1]))
    return times(dS, K), times(flipped(dS), Q), times(flipped(A), dZ)
