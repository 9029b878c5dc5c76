"""Every sum, maximum and batch axis is taken apart until one piece is left, and lists are put together again."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import math

import numpy as np


def halves(items, join):
    """Join a list two by two, the halves first."""
    if len(items) == 1:
        return items[0]
    middle = len(items) // 2
    return join(halves(items[:middle], join), halves(items[middle:], join))


def total(items):
    return halves(items, lambda a, b: a + b) if items else 0.0


def kind(*arrays):
    """float32 where every array is, read from the first to the last."""
    if not arrays:
        return np.float32
    return kind(*arrays[1:]) if arrays[0].dtype == np.float32 else np.float64


def fit(*lengths):
    if len(lengths) > 1:
        if lengths[0] != lengths[1]:
            raise ValueError(f"{lengths[0]} does not meet {lengths[1]}")
        fit(*lengths[1:])


def per_example(work, arrays, depth):
    """Call `work` with matrices as lists, however many axes lie in front of them."""
    if depth == 0:
        return work(*(array.tolist() for array in arrays))
    fit(*(len(array) for array in arrays))
    return [per_example(work, parts, depth - 1) for parts in zip(*arrays, strict=True)]


def normalised(row):
    highest = halves(row, max)
    if highest == -math.inf:
        return [0.0] * len(row)
    powers = [math.exp(each - highest) for each in row]
    whole = total(powers)
    return [power / whole for power in powers]


def softmax(x, axis=-1):
    last = np.moveaxis(x, axis, -1)
    return np.moveaxis(np.array(_rows(last.tolist(), last.ndim), dtype=kind(x)), -1, axis)


def _rows(nested, depth):
    return normalised(nested) if depth == 1 else [_rows(each, depth - 1) for each in nested]


def product(A, B):
    """The matrix product of lists."""
    fit(len(A[0]), len(B))
    columns = list(zip(*B, strict=True))
    return [[total([a * b for a, b in zip(row, column, strict=True)]) for column in columns] for row in A]


def turned(A):
    return [list(column) for column in zip(*A, strict=True)]


def project_qkv(X, W_q, W_k, W_v):
    dtype = kind(X, W_q, W_k, W_v)

    def project(W):
        return np.array(per_example(lambda x: product(x, W.tolist()), [X], X.ndim - 2), dtype=dtype)

    return project(W_q), project(W_k), project(W_v)


def scores_of(Q, K):
    fit(len(Q[0]), len(K[0]))
    return [[each / math.sqrt(len(Q[0])) for each in row] for row in product(Q, turned(K))]


def attention_scores(Q, K):
    fit(Q.ndim, K.ndim)
    return np.array(per_example(scores_of, [Q, K], Q.ndim - 2), dtype=kind(Q, K))


def everywhere(mask, Q, K):
    shape = (*Q.shape[:-1], K.shape[-2])
    if mask is None:
        return np.full(shape, fill_value=True)
    if mask.dtype != bool:
        raise ValueError("the mask is not boolean")
    return np.broadcast_to(mask, shape)


def weights_of(Q, K, may):
    hidden = [
        [s if m else -math.inf for s, m in zip(*rows, strict=True)] for rows in zip(scores_of(Q, K), may, strict=True)
    ]
    return _rows(hidden, 2)


def attention_weights(Q, K, mask=None):
    fit(Q.ndim, K.ndim)
    return np.array(per_example(weights_of, [Q, K, everywhere(mask, Q, K)], Q.ndim - 2), dtype=kind(Q, K))


def attention(Q, K, V, mask=None):
    fit(Q.ndim, K.ndim, V.ndim)
    fit(K.shape[-2], V.shape[-2])
    arrays = [Q, K, V, everywhere(mask, Q, K)]
    return np.array(
        per_example(lambda q, k, v, m: product(weights_of(q, k, m), v), arrays, Q.ndim - 2), dtype=kind(Q, K, V)
    )


def past(T):
    """The causal mask: that of one token less, with a row and a column more."""
    if T == 0:
        return []
    return [[*row, False] for row in past(T - 1)] + [[True] * T]


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    Q, K, V = (each.astype(kind(Q, K, V)) for each in (Q, K, V))
    mask = np.array(past(2))
    return {"S": attention_scores(Q, K), "A": attention_weights(Q, K, mask), "Z": attention(Q, K, V, mask)}


def attention_steps(Q, K, V):
    fit(Q.ndim, K.ndim, V.ndim)
    fit(Q.shape[-2], K.shape[-2], V.shape[-2])
    Q, K, V = (each.astype(kind(Q, K, V)) for each in (Q, K, V))
    mask = np.array(past(Q.shape[-2]))
    scores = attention_scores(Q, K)
    return {
        "scores": scores,
        "masked": np.where(mask, scores, scores.dtype.type(-math.inf)),
        "weights": attention_weights(Q, K, mask),
        "output": attention(Q, K, V, mask),
    }


def head_after_head(Q, K, V, n_head, mask):
    """The outputs of the first head, and those of the others beside them."""
    if n_head == 0:
        return [[] for _ in Q]
    d = len(Q[0]) // n_head
    first = product(weights_of(*([row[:d] for row in part] for part in (Q, K)), mask), [row[:d] for row in V])
    others = head_after_head(*([row[d:] for row in part] for part in (Q, K, V)), n_head - 1, mask)
    return [mine + theirs for mine, theirs in zip(first, others, strict=True)]


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    if n_head < 1 or W_q.shape[1] % n_head:
        raise ValueError("no equal heads")
    fit(W_q.shape[1], W_k.shape[1], W_v.shape[1], len(W_o))
    T = X.shape[-2]
    mask = past(T) if causal else [[True] * T] * T

    def mixed(x):
        Q, K, V = (product(x, W.tolist()) for W in (W_q, W_k, W_v))
        return product(head_after_head(Q, K, V, n_head, mask), W_o.tolist())

    return np.array(per_example(mixed, [X], X.ndim - 2), dtype=kind(X, W_q, W_k, W_v, W_o))


def gradients_of(Q, K, V, dZ, may):
    A, scale = weights_of(Q, K, may), 1 / math.sqrt(len(Q[0]))
    dA = product(dZ, turned(V))
    dS = []
    for a, d in zip(A, dA, strict=True):
        mean = total([p * q for p, q in zip(a, d, strict=True)])
        dS.append([scale * p * (q - mean) for p, q in zip(a, d, strict=True)])
    return product(dS, K), product(turned(dS), Q), product(turned(A), dZ)


def attention_backward(Q, K, V, dZ, mask=None):
    if dZ.shape != (*Q.shape[:-1], V.shape[-1]):
        raise ValueError("dZ is not like the output")
    arrays, dtype = [Q, K, V, dZ, everywhere(mask, Q, K)], kind(Q, K, V, dZ)
    return tuple(
        np.array(per_example(lambda *parts, at=at: gradients_of(*parts)[at], arrays, Q.ndim - 2), dtype=dtype)
        for at in range(3)
    )
