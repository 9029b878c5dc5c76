"""Scaled dot-product attention, built from small tools."""

import numpy as np
from numpy import newaxis

NOTHING = -np.inf


class ShapeError(ValueError):
    """Arrays that cannot be put together."""


def _common(arrays):
    single = all(np.asarray(a).dtype == np.dtype("float32") for a in arrays)
    return tuple(np.array(a, dtype="float32" if single else "float64") for a in arrays)


def _check(condition, *arrays):
    if not condition:
        raise ShapeError("these shapes do not go together: " + ", ".join(str(np.shape(a)) for a in arrays))


def _same_lead(*arrays):
    _check(min(np.ndim(a) for a in arrays) > 1, *arrays)
    _check(len({np.shape(a)[:-2] for a in arrays}) == 1, *arrays)


def _T(M):
    return np.moveaxis(M, -1, -2)


def _log_share(x, axis):
    """log(softmax(x)), and -inf all along where there is nothing to share."""
    peak = np.maximum.reduce(x, axis=axis, keepdims=True, initial=NOTHING)
    peak[np.isneginf(peak)] = 0
    with np.errstate(over="ignore", divide="ignore"):
        shifted = np.subtract(x, peak)
        log_total = np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))
    log_total[np.isneginf(log_total)] = 0
    return shifted - log_total


def softmax(x, axis=-1):
    return np.exp(_log_share(*_common([x]), axis))


def _penalty(mask, like):
    """0 for what may be seen and -inf for what may not, to be added to scores."""
    mask = np.asarray(mask)
    if mask.dtype.kind != "b":
        raise ValueError(f"only True and False make a mask, not {mask.dtype}")
    try:
        mask = np.broadcast_to(mask, like.shape)
    except ValueError:
        raise ShapeError(f"a mask of {mask.shape} for scores of {like.shape}") from None
    penalty = np.zeros_like(like)
    penalty[~mask] = NOTHING
    return penalty


def _no_future(T):
    return np.logical_not(np.triu(np.ones((T, T), dtype=bool), k=1))


def project_qkv(X, W_q, W_k, W_v):
    _check(all(np.ndim(W) == 2 for W in (W_q, W_k, W_v)) and np.ndim(X) > 1, X, W_q, W_k, W_v)
    _check({np.shape(W)[0] for W in (W_q, W_k, W_v)} == {np.shape(X)[-1]}, X, W_q, W_k, W_v)
    _check(np.shape(W_q) == np.shape(W_k), W_q, W_k)
    X, W_q, W_k, W_v = _common([X, W_q, W_k, W_v])
    d_k = W_q.shape[1]
    everything = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    return tuple(np.split(everything, [d_k, 2 * d_k], axis=-1))


def attention_scores(Q, K):
    _same_lead(Q, K)
    _check(np.shape(Q)[-1] == np.shape(K)[-1] > 0, Q, K)
    Q, K = _common([Q, K])
    quarter = np.asarray(Q.shape[-1], dtype=Q.dtype) ** np.asarray(-0.25, dtype=Q.dtype)
    return (Q * quarter) @ _T(K * quarter)


def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    return softmax(S if mask is None else S + _penalty(mask, S))


def attention(Q, K, V, mask=None):
    _same_lead(Q, K, V)
    _check(np.shape(K)[-2] == np.shape(V)[-2], K, V)
    Q, K, V = _common([Q, K, V])
    return attention_weights(Q, K, mask) @ V


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    _check(len(Q) == len(K) == len(V) and np.ndim(V) == 2, Q, K, V)
    Q, K, V = _common([Q, K, V])
    S = attention_scores(Q, K)
    A = softmax(S + _penalty(_no_future(len(S)), S))
    return dict(S=S, A=A, Z=A @ V)


def attention_steps(Q, K, V):
    _same_lead(Q, K, V)
    _check(np.shape(Q)[-2] == np.shape(K)[-2] == np.shape(V)[-2], Q, K, V)
    Q, K, V = _common([Q, K, V])
    steps = {"scores": attention_scores(Q, K)}
    steps["masked"] = steps["scores"] + _penalty(_no_future(Q.shape[-2]), steps["scores"])
    steps["weights"] = softmax(steps["masked"])
    steps["output"] = steps["weights"] @ V
    return steps


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    _check(np.ndim(W_o) == 2 and np.shape(W_v) == np.shape(W_k), W_v, W_k, W_o)
    _check(np.shape(W_o)[0] == np.shape(W_v)[1], W_v, W_o)
    X, W_q, W_k, W_v, W_o = _common([X, W_q, W_k, W_v, W_o])
    if n_head < 1 or W_o.shape[0] % n_head:
        raise ShapeError(f"{n_head} heads do not share {W_o.shape[0]} columns evenly")
    Q, K, V = (np.stack(np.split(P, n_head, axis=-1), axis=-3) for P in project_qkv(X, W_q, W_k, W_v))
    Z = attention(Q, K, V, _no_future(X.shape[-2]) if causal else None)
    side_by_side = np.concatenate([Z[..., h, :, :] for h in range(n_head)], axis=-1)
    return side_by_side @ W_o


def attention_backward(Q, K, V, dZ, mask=None):
    _same_lead(Q, K, V, dZ)
    _check(np.shape(K)[-2] == np.shape(V)[-2], K, V)
    _check(np.shape(dZ) == (*np.shape(Q)[:-1], np.shape(V)[-1]), Q, V, dZ)
    Q, K, V, dZ = _common([Q, K, V, dZ])
    A = attention_weights(Q, K, mask)
    Z = A @ V
    dA = dZ @ _T(V)
    carried = np.add.reduce(dZ * Z, axis=-1)[..., newaxis]
    dS = (dA - carried) * A / np.sqrt(np.asarray(Q.shape[-1], dtype=Q.dtype))
    return dS @ K, _T(dS) @ Q, _T(A) @ dZ
