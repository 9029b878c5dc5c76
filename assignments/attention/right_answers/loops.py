"""Plain Python: nested loops over lists of numbers; NumPy only carries them in and out."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import itertools
import math

import numpy as np


def result_type(arrays):
    return np.float32 if {a.dtype.name for a in arrays} == {"float32"} else np.float64


def for_each_example(function, arrays, results=1):
    """Loop over the leading axes and hand lists of lists to the function."""
    lead = arrays[0].shape[:-2]
    if any(a.ndim < 2 or a.shape[:-2] != lead for a in arrays):
        raise ValueError("the leading axes differ")
    collected = [[] for _ in range(results)]
    for index in itertools.product(*(range(n) for n in lead)):
        out = function(*(a[index].tolist() for a in arrays))
        for place, part in zip(collected, out if results > 1 else [out], strict=True):
            place.append(part)
    dtype = result_type([a for a in arrays if a.dtype != bool])
    stacked = [np.array(place, dtype=dtype) for place in collected]
    return [s.reshape(lead + s.shape[1:]) for s in stacked]


def softmax_of_list(numbers):
    top = max(numbers)
    if top == float("-inf"):
        return [0.0 for _ in numbers]
    powers = [math.exp(number - top) for number in numbers]
    total = sum(powers)
    return [power / total for power in powers]


def matmul(A, B):
    if len(A[0]) != len(B):
        raise ValueError(f"cannot multiply rows of {len(A[0])} with {len(B)} rows")
    out = []
    for row in A:
        out.append([0.0] * len(B[0]))
        for j in range(len(B[0])):
            for k in range(len(B)):
                out[-1][j] += row[k] * B[k][j]
    return out


def transpose(A):
    return [list(column) for column in zip(*A, strict=True)]


def softmax(x, axis=-1):
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"no axis {axis} in {x.ndim} axes")
    moved = np.moveaxis(x, axis, -1)
    out = np.empty(moved.shape, dtype=result_type([x]))
    for index in itertools.product(*(range(n) for n in moved.shape[:-1])):
        out[index] = softmax_of_list([float(v) for v in moved[index]])
    return np.moveaxis(out, -1, axis)


def project_qkv(X, W_q, W_k, W_v):
    dtype = result_type([X, W_q, W_k, W_v])
    found = []
    if W_q.shape != W_k.shape:
        raise ValueError(f"queries of {W_q.shape[1]} and keys of {W_k.shape[1]} columns")
    for W in (W_q, W_k, W_v):
        if X.shape[-1] != W.shape[0]:
            raise ValueError(f"{X.shape} does not fit {W.shape}")
        weights = W.tolist()
        [P] = for_each_example(lambda x, weights=weights: matmul(x, weights), [X.astype(dtype)])
        found.append(P.astype(dtype))
    return found[0], found[1], found[2]


def scores_of_lists(Q, K):
    if len(Q[0]) != len(K[0]):
        raise ValueError("queries and keys differ in width")
    S = matmul(Q, transpose(K))
    return [[s / math.sqrt(len(K[0])) for s in row] for row in S]


def attention_scores(Q, K):
    return for_each_example(scores_of_lists, [Q, K])[0]


def weights_of_lists(Q, K, M):
    rows = []
    for row, visible in zip(scores_of_lists(Q, K), M, strict=True):
        rows.append(softmax_of_list([s if ok else float("-inf") for s, ok in zip(row, visible, strict=True)]))
    return rows


def full_mask(Q, K, mask):
    shape = (*Q.shape[:-1], K.shape[-2])
    if mask is None:
        return np.ones(shape, dtype=bool)
    if mask.dtype != bool:
        raise ValueError("a mask holds True and False")
    if mask.ndim > len(shape):
        raise ValueError("the mask has too many axes")
    return np.broadcast_to(mask, shape)


def attention_weights(Q, K, mask=None):
    return for_each_example(weights_of_lists, [Q, K, full_mask(Q, K, mask)])[0]


def attention(Q, K, V, mask=None):
    def work(q, k, v, m):
        return matmul(weights_of_lists(q, k, m), v)

    return for_each_example(work, [Q, K, V, full_mask(Q, K, mask)])[0]


def two_token_example(Q=((1.0,), (2.0,)), K=((1.0,), (3.0,)), V=((10.0,), (20.0,))):
    Q, K, V = np.array(Q), np.array(K), np.array(V)

    def work(q, k, v):
        A = weights_of_lists(q, k, [[True, False], [True, True]])
        return scores_of_lists(q, k), A, matmul(A, v)

    S, A, Z = for_each_example(work, [Q, K, V], results=3)
    return {"S": S, "A": A, "Z": Z}


def attention_steps(Q, K, V):
    def work(q, k, v):
        if not len(q) == len(k) == len(v):
            raise ValueError("one query, key and value for each token")
        S = scores_of_lists(q, k)
        M = [[s if j <= i else float("-inf") for j, s in enumerate(row)] for i, row in enumerate(S)]
        A = [softmax_of_list(row) for row in M]
        return S, M, A, matmul(A, v)

    S, M, A, Z = for_each_example(work, [Q, K, V], results=4)
    return {"scores": S, "masked": M, "weights": A, "output": Z}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    columns = W_q.shape[1]
    if n_head <= 0 or columns != n_head * (columns // n_head):
        raise ValueError("the columns cannot be shared out evenly")
    if not columns == W_k.shape[1] == W_v.shape[1] == W_o.shape[0]:
        raise ValueError("the projections differ in width")
    d = columns // n_head
    T = X.shape[-2]
    visible = [[j <= i or not causal for j in range(T)] for i in range(T)]
    matrices = [W.astype(np.float64).tolist() for W in (W_q, W_k, W_v, W_o)]

    def work(x):
        Q, K, V = (matmul(x, W) for W in matrices[:3])
        together = [[] for _ in range(T)]
        for h in range(n_head):
            q, k, v = ([row[h * d : h * d + d] for row in P] for P in (Q, K, V))
            for row, z in zip(together, matmul(weights_of_lists(q, k, visible), v), strict=True):
                row.extend(z)
        return matmul(together, matrices[3])

    [out] = for_each_example(work, [X])
    return out.astype(result_type([X, W_q, W_k, W_v, W_o]))


def attention_backward(Q, K, V, dZ, mask=None):
    def work(q, k, v, dz, m):
        if len(dz) != len(q) or len(dz[0]) != len(v[0]) or len(k) != len(v):
            raise ValueError("dZ has the shape of the output")
        A = weights_of_lists(q, k, m)
        dV = matmul(transpose(A), dz)
        dA = matmul(dz, transpose(v))
        dS = []
        for a, g in zip(A, dA, strict=True):
            mean = sum(x * y for x, y in zip(a, g, strict=True))
            dS.append([x * (y - mean) / math.sqrt(len(k[0])) for x, y in zip(a, g, strict=True)])
        return matmul(dS, k), matmul(transpose(dS), q), dV

    return tuple(for_each_example(work, [Q, K, V, dZ, full_mask(Q, K, mask)], results=3))
