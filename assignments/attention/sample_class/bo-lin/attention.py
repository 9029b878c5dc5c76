"""Everything spelled out, one number at a time."""

import math

import numpy as np


def result_type(*arrays):
    for a in arrays:
        if np.asarray(a).dtype != np.float32:
            return np.float64
    return np.float32


def need(ok, text):
    if not ok:
        raise ValueError(text)


def lead_of(*arrays):
    leads = [np.shape(a)[:-2] for a in arrays]
    for a in arrays:
        need(np.ndim(a) >= 2, f"a matrix is needed, not {np.shape(a)}")
    for other in leads:
        need(other == leads[0], f"batch axes differ: {leads}")
    return leads[0]


def dot(u, v):
    total = 0.0
    for i in range(len(u)):
        total += float(u[i]) * float(v[i])
    return total


def share_out(row):
    """The softmax of one list of numbers."""
    top = -math.inf
    for value in row:
        top = max(top, float(value))
    if top == -math.inf:
        return [0.0] * len(row)
    parts = []
    for value in row:
        parts.append(math.exp(float(value) - top))
    whole = sum(parts)
    return [part / whole for part in parts]


def softmax(x, axis=-1):
    x = np.asarray(x)
    moved = np.moveaxis(x, axis, -1)
    out = np.empty(moved.shape, dtype=result_type(x))
    for place in np.ndindex(*moved.shape[:-1]):
        out[place] = share_out(moved[place])
    return np.moveaxis(out, -1, axis)


def times(A, B, dtype):
    """The product of two matrices."""
    rows, inner, columns = len(A), B.shape[0], B.shape[1]
    out = np.zeros((rows, columns), dtype=dtype)
    for i in range(rows):
        for j in range(columns):
            out[i, j] = dot(A[i], [B[k, j] for k in range(inner)])
    return out


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X)
    lead = lead_of(X)
    results = []
    for W in (W_q, W_k, W_v):
        W = np.asarray(W)
        need(W.ndim == 2 and W.shape[0] == X.shape[-1], f"{X.shape} does not go with {W.shape}")
        results.append(np.zeros((*X.shape[:-1], W.shape[1]), dtype=result_type(X, W_q, W_k, W_v)))
    need(results[0].shape == results[1].shape, "queries and keys have different widths")
    for b in np.ndindex(*lead):
        for out, W in zip(results, (W_q, W_k, W_v)):
            out[b] = times(X[b], np.asarray(W), out.dtype)
    return results[0], results[1], results[2]


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    lead = lead_of(Q, K)
    d_k = Q.shape[-1]
    need(K.shape[-1] == d_k and d_k > 0, f"{Q.shape} does not go with {K.shape}")
    S = np.zeros((*Q.shape[:-1], K.shape[-2]), dtype=result_type(Q, K))
    for b in np.ndindex(*lead):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                S[b][i, j] = dot(Q[b][i], K[b][j]) / math.sqrt(d_k)
    return S


def attention_weights(Q, K, mask=None):
    S = attention_scores(Q, K)
    allowed = np.ones(S.shape, dtype=bool)
    if mask is not None:
        need(np.asarray(mask).dtype == bool, "the mask must hold True and False")
        allowed = np.broadcast_to(mask, S.shape)
    A = np.zeros_like(S)
    for place in np.ndindex(*S.shape[:-1]):
        row = []
        for j in range(S.shape[-1]):
            row.append(S[place][j] if allowed[place][j] else -math.inf)
        A[place] = share_out(row)
    return A


def mix(A, V, dtype):
    out = np.zeros((*A.shape[:-1], V.shape[-1]), dtype=dtype)
    for b in np.ndindex(*A.shape[:-2]):
        out[b] = times(A[b], V[b], dtype)
    return out


def attention(Q, K, V, mask=None):
    V = np.asarray(V)
    lead_of(Q, K, V)
    need(V.shape[-2] == np.shape(K)[-2], f"{np.shape(K)} keys but {V.shape} values")
    dtype = result_type(Q, K, V)
    A = attention_weights(np.asarray(Q, dtype), np.asarray(K, dtype), mask)
    return mix(A, V, dtype)


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else np.asarray(Q)
    K = np.array([[1.0], [3.0]]) if K is None else np.asarray(K)
    V = np.array([[10.0], [20.0]]) if V is None else np.asarray(V)
    need(Q.ndim == K.ndim == V.ndim == 2 and len(Q) == len(K) == len(V), "as many queries as keys as values")
    dtype = result_type(Q, K, V)
    S = attention_scores(Q.astype(dtype), K.astype(dtype))
    A = np.zeros_like(S)
    for i in range(len(Q)):
        A[i, : i + 1] = share_out(S[i, : i + 1])
    return {"S": S, "A": A, "Z": times(A, V, dtype)}


def attention_steps(Q, K, V):
    Q, K, V = np.asarray(Q), np.asarray(K), np.asarray(V)
    lead = lead_of(Q, K, V)
    T = Q.shape[-2]
    need(K.shape[-2] == T and V.shape[-2] == T, "as many queries as keys as values")
    dtype = result_type(Q, K, V)
    scores = attention_scores(Q.astype(dtype), K.astype(dtype))
    masked = scores.copy()
    weights = np.zeros_like(scores)
    for b in np.ndindex(*lead):
        for i in range(T):
            for j in range(i + 1, T):
                masked[b][i, j] = -math.inf
            weights[b][i] = share_out(masked[b][i])
    return {"scores": scores, "masked": masked, "weights": weights, "output": mix(weights, V, dtype)}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_o = np.asarray(X), np.asarray(W_o)
    dtype = result_type(X, W_q, W_k, W_v, W_o)
    Q, K, V = project_qkv(X.astype(dtype), W_q, W_k, W_v)
    width = Q.shape[-1]
    need(n_head >= 1 and width % n_head == 0, f"{width} columns cannot be cut into {n_head} heads")
    need(V.shape[-1] == width and W_o.ndim == 2 and W_o.shape[0] == width, f"W_o {W_o.shape} does not fit {width}")
    T, d = X.shape[-2], width // n_head
    out = np.zeros((*X.shape[:-1], W_o.shape[1]), dtype=dtype)
    for b in np.ndindex(*X.shape[:-2]):
        joined = np.zeros((T, width), dtype=dtype)
        for h in range(n_head):
            first, last = h * d, (h + 1) * d
            q, k, v = Q[b][:, first:last], K[b][:, first:last], V[b][:, first:last]
            for t in range(T):
                seen = t + 1 if causal else T
                shares = share_out([dot(q[t], k[s]) / math.sqrt(d) for s in range(seen)])
                for column in range(d):
                    joined[t, first + column] = dot(shares, v[:seen, column])
        out[b] = times(joined, W_o, dtype)
    return out


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = np.asarray(Q), np.asarray(K), np.asarray(V), np.asarray(dZ)
    lead = lead_of(Q, K, V, dZ)
    need(V.shape[-2] == K.shape[-2], f"{K.shape} keys but {V.shape} values")
    need(dZ.shape[-2:] == (Q.shape[-2], V.shape[-1]), f"dZ {dZ.shape} is not the shape of the output")
    dtype = result_type(Q, K, V, dZ)
    A = attention_weights(Q.astype(dtype), K.astype(dtype), mask)
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    root = math.sqrt(Q.shape[-1])
    for b in np.ndindex(*lead):
        for i in range(Q.shape[-2]):
            pull = [dot(dZ[b][i], V[b][j]) for j in range(K.shape[-2])]
            average = dot(A[b][i], pull)
            for j in range(K.shape[-2]):
                a = float(A[b][i, j])
                slope = a * (pull[j] - average) / root
                for c in range(Q.shape[-1]):
                    dQ[b][i, c] += slope * float(K[b][j, c])
                    dK[b][j, c] += slope * float(Q[b][i, c])
                for c in range(V.shape[-1]):
                    dV[b][j, c] += a * float(dZ[b][i, c])
    return dQ.astype(dtype), dK.astype(dtype), dV.astype(dtype)
