from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Mask = NDArray[np.bool_]


def computing_dtype(*arrays: Array) -> np.dtype:
    dtypes = [np.asarray(array).dtype for array in arrays]
    if unreal := [dtype for dtype in dtypes if dtype.kind not in "biuf"]:
        raise ValueError(f"arrays of real numbers are needed, got {unreal[0]}")
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def as_floats(*arrays: Array) -> list[Array]:
    dtype = computing_dtype(*arrays)
    return [np.asarray(array, dtype=dtype) for array in arrays]


def require_shapes(pattern: str, *arrays: ArrayLike) -> None:
    shapes = [np.shape(array) for array in arrays]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def require_mask(mask: Mask, scores: Array) -> None:
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise ValueError(f"a mask is boolean, True = may attend, not {mask.dtype}")
    try:
        np.broadcast_to(mask, scores.shape)
    except ValueError:
        raise ValueError(f"a mask of shape {mask.shape} does not broadcast to scores of {scores.shape}") from None


def softmax(x: Array, axis: int = -1) -> Array:
    [x] = as_floats(x)
    biggest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    biggest = np.where(np.isneginf(biggest), 0, biggest)
    e = np.exp(x - biggest)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)


def project_qkv(X: Array, W_q: Array, W_k: Array, W_v: Array) -> tuple[Array, Array, Array]:
    require_shapes("... T d_model, d_model d_k, d_model d_k, d_model d_v", X, W_q, W_k, W_v)
    X, W_q, W_k, W_v = as_floats(X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v


def attention_scores(Q: Array, K: Array) -> Array:
    require_shapes("... T_q d_k, ... T_k d_k", Q, K)
    Q, K = as_floats(Q, K)
    d_k = Q.shape[-1]
    if d_k == 0:
        raise ValueError("d_k is 0")
    return Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)


def attention_weights(Q: Array, K: Array, mask: Mask | None = None) -> Array:
    scores = attention_scores(Q, K)
    if mask is not None:
        require_mask(mask, scores)
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores, axis=-1)


def attention(Q: Array, K: Array, V: Array, mask: Mask | None = None) -> Array:
    require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    A = attention_weights(Q, K, mask)
    return A @ V


def two_token_example(Q: Array | None = None, K: Array | None = None, V: Array | None = None) -> dict[str, Array]:
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    require_shapes("T d_k, T d_k, T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    causal = np.tri(2, dtype=bool)
    A = attention_weights(Q, K, causal)
    return {"S": attention_scores(Q, K), "A": A, "Z": A @ V}


def attention_steps(Q: Array, K: Array, V: Array) -> dict[str, Array]:
    require_shapes("... T d_k, ... T d_k, ... T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    S = attention_scores(Q, K)
    later = np.triu(np.ones(S.shape[-2:], dtype=bool), k=1)
    M = np.where(later, -np.inf, S)
    A = softmax(M)
    return {"scores": S, "masked": M, "weights": A, "output": A @ V}


def multi_head_attention(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    W_o: Array,
    n_head: int,
    causal: bool = True,
) -> Array:
    require_shapes("... T d_in, d_in d, d_in d, d_in d, d d_out", X, W_q, W_k, W_v, W_o)
    if n_head < 1 or np.shape(W_q)[1] % n_head:
        raise ValueError(f"cannot split {np.shape(W_q)[1]} columns into {n_head} heads")
    X, W_q, W_k, W_v, W_o = as_floats(X, W_q, W_k, W_v, W_o)

    def split(P):
        return np.moveaxis(P.reshape(*P.shape[:-1], n_head, P.shape[-1] // n_head), -2, -3)

    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    mask = np.tri(X.shape[-2], dtype=bool) if causal else None
    Z = np.moveaxis(attention(split(Q), split(K), split(V), mask), -3, -2)
    return Z.reshape(*X.shape[:-1], W_o.shape[0]) @ W_o


def attention_backward(Q: Array, K: Array, V: Array, dZ: Array, mask: Mask | None = None) -> tuple[Array, Array, Array]:
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
