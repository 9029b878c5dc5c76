"""Scaled dot-product attention, from a stable softmax to many heads and the gradient by hand."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Mask = NDArray[np.bool_]


def computing_dtype(*arrays: Array) -> np.dtype:
    """Return the dtype to compute in: float32 if every array is float32, else float64."""
    dtypes = [np.asarray(array).dtype for array in arrays]
    if unreal := [dtype for dtype in dtypes if dtype.kind not in "biuf"]:
        raise ValueError(f"arrays of real numbers are needed, got {unreal[0]}")
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def as_floats(*arrays: Array) -> list[Array]:
    """Return a list of the arrays, each in the dtype to compute in."""
    dtype = computing_dtype(*arrays)
    return [np.asarray(array, dtype=dtype) for array in arrays]


def require_shapes(pattern: str, *arrays: ArrayLike) -> None:
    """Check shapes against a pattern such as ``"... T_q d_k, ... T_k d_k"``, one part for each array."""
    shapes = [np.shape(array) for array in arrays]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def require_mask(mask: Mask, scores: Array) -> None:
    """Check that a mask is boolean and broadcasts to the scores, without more axes than they have."""
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise ValueError(f"a mask is boolean, True = may attend, not {mask.dtype}")
    try:
        np.broadcast_to(mask, scores.shape)
    except ValueError:
        raise ValueError(f"a mask of shape {mask.shape} does not broadcast to scores of {scores.shape}") from None


def softmax(x: Array, axis: int = -1) -> Array:
    """Return exp(x) / sum(exp(x)), the sum taken along an axis."""
    [x] = as_floats(x)
    biggest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    biggest = np.where(np.isneginf(biggest), 0, biggest)
    e = np.exp(x - biggest)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def project_qkv(X: Array, W_q: Array, W_k: Array, W_v: Array) -> tuple[Array, Array, Array]:
    """Return queries Q = X W_q, keys K = X W_k and values V = X W_v."""
    require_shapes("... T d_model, d_model d_k, d_model d_k, d_model d_v", X, W_q, W_k, W_v)
    X, W_q, W_k, W_v = as_floats(X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v


def attention_scores(Q: Array, K: Array) -> Array:
    """Return S = Q K^T / sqrt(d_k): entry [i, j] says how well query i matches key j."""
    require_shapes("... T_q d_k, ... T_k d_k", Q, K)
    Q, K = as_floats(Q, K)
    d_k = Q.shape[-1]
    if d_k == 0:
        raise ValueError("d_k is 0")
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)


def attention_weights(Q: Array, K: Array, mask: Mask | None = None) -> Array:
    """Return A, the softmax of each row of the masked scores: how query i shares one unit of attention among the keys."""
    scores = attention_scores(Q, K)
    if mask is not None:
        require_mask(mask, scores)
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores, axis=-1)


def attention(Q: Array, K: Array, V: Array, mask: Mask | None = None) -> Array:
    """Return Z = A V: each query's mean of the values, weighted by its attention."""
    require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    A = attention_weights(Q, K, mask)
    return A @ V


def two_token_example(Q: Array | None = None, K: Array | None = None, V: Array | None = None) -> dict[str, Array]:
    """Work the lecture's example of two tokens: causal attention, with every step kept."""
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    require_shapes("T d_k, T d_k, T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    S = attention_scores(Q, K)
    A = attention_weights(Q, K, np.tril(np.ones((2, 2), dtype=bool)))
    Z = A @ V
    return {"S": S, "A": A, "Z": Z}


def attention_steps(Q: Array, K: Array, V: Array) -> dict[str, Array]:
    """Work causal self-attention as one does by hand for T = 3 and d_k = 2, with every step kept."""
    require_shapes("... T d_k, ... T d_k, ... T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    scores = attention_scores(Q, K)
    masked = scores.copy()
    T = Q.shape[-2]
    i = 0
    while i < T:
        for j in range(i + 1, T):
            masked[..., i, j] = -np.inf
    weights = softmax(masked, axis=-1)
    return {"scores": scores, "masked": masked, "weights": weights, "output": weights @ V}


def multi_head_attention(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    W_o: Array,
    n_head: int,
    causal: bool = True,
) -> Array:
    """Return self-attention in n_head heads, laid side by side and mixed by W_o."""
    require_shapes("... T d_in, d_in d, d_in d, d_in d, d d_out", X, W_q, W_k, W_v, W_o)
    X, W_q, W_k, W_v, W_o = as_floats(X, W_q, W_k, W_v, W_o)
    T, d = X.shape[-2], W_q.shape[1]
    if n_head < 1 or d % n_head != 0:
        raise ValueError(f"{d} columns do not divide into {n_head} heads")
    d_head = d // n_head
    mask = np.tril(np.ones((T, T), dtype=bool)) if causal else None
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    heads = []
    for h in range(n_head):
        columns = slice(h * d_head, (h + 1) * d_head)
        heads.append(attention(Q[..., columns], K[..., columns], V[..., columns], mask))
    return np.concatenate(heads, axis=-1) @ W_o


def attention_backward(Q: Array, K: Array, V: Array, dZ: Array, mask: Mask | None = None) -> tuple[Array, Array, Array]:
    """Return the gradients of a loss with respect to Q, K and V, given its gradient dZ with respect to Z."""
    require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v, ... T_q d_v", Q, K, V, dZ)
    Q, K, V, dZ = as_floats(Q, K, V, dZ)
    A = attention_weights(Q, K, mask)
    dV = np.swapaxes(A, -1, -2) @ dZ
    dA = dZ @ np.swapaxes(V, -1, -2)
    dS = A * (dA - np.sum(A * dA, axis=-1, keepdims=True))
    dS = dS / math.sqrt(Q.shape[-1])
    dQ = dS @ K
    dK = np.swapaxes(dS, -1, -2) @ Q
    return dQ, dK, dV
