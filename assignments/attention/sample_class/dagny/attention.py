import numpy as np


def to_float(*arrays):
    if all(np.asarray(a).dtype == np.float32 for a in arrays):
        return [np.asarray(a) for a in arrays]
    return [np.asarray(a).astype(np.float64) for a in arrays]


def softmax(x, axis=-1):
    (x,) = to_float(x)
    biggest = np.max(x, axis=axis, keepdims=True, initial=-np.inf)
    biggest = np.where(biggest == -np.inf, 0, biggest)
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(x - biggest)
        return np.where(e == 0, e, e / np.sum(e, axis=axis, keepdims=True))


def project_qkv(X, W_q, W_k, W_v):
    if np.ndim(X) < 2 or np.shape(W_q) != np.shape(W_k):
        raise ValueError(f"bad shapes {np.shape(X)} {np.shape(W_q)} {np.shape(W_k)}")
    X, W_q, W_k, W_v = to_float(X, W_q, W_k, W_v)
    return np.matmul(X, W_q), np.matmul(X, W_k), np.matmul(X, W_v)


def attention_scores(Q, K):
    Q, K = to_float(Q, K)
    if Q.ndim < 2 or Q.shape[:-2] != K.shape[:-2] or Q.shape[-1] != K.shape[-1] or Q.shape[-1] < 1:
        raise ValueError(f"queries {Q.shape} do not match keys {K.shape}")
    return np.matmul(Q, np.swapaxes(K, -1, -2)) / float(np.sqrt(Q.shape[-1]))


def attention_weights(Q, K, mask=None):
    scores = attention_scores(Q, K)
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype != np.bool_:
            raise ValueError("mask is not boolean")
        if np.broadcast_shapes(mask.shape, scores.shape) != scores.shape:
            raise ValueError(f"mask {mask.shape} is too big for scores {scores.shape}")
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores, axis=-1)


def attention(Q, K, V, mask=None):
    Q, K, V = to_float(Q, K, V)
    if V.shape[:-1] != K.shape[:-1]:
        raise ValueError(f"keys {K.shape} do not match values {V.shape}")
    return np.matmul(attention_weights(Q, K, mask), V)


def two_token_example(Q=None, K=None, V=None):
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    Q, K, V = to_float(Q, K, V)
    lower = np.array([[1, 0], [1, 1]]) == 1
    S = attention_scores(Q, K)
    A = attention_weights(Q, K, lower)
    Z = attention(Q, K, V, lower)
    return {"S": S, "A": A, "Z": Z}


def attention_steps(Q, K, V):
    Q, K, V = to_float(Q, K, V)
    if Q.shape[:-1] != K.shape[:-1] or K.shape[:-1] != V.shape[:-1]:
        raise ValueError(f"not one sequence: {Q.shape} {K.shape} {V.shape}")
    scores = attention_scores(Q, K)
    masked = np.where(np.tril(np.ones(scores.shape)) == 1, scores, -np.inf)
    weights = softmax(masked, axis=-1)
    output = np.matmul(weights, V)
    return {"scores": scores, "masked": masked, "weights": weights, "output": output}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    X, W_q, W_k, W_v, W_o = to_float(X, W_q, W_k, W_v, W_o)
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    width = Q.shape[-1]
    if n_head < 1 or width % n_head != 0 or V.shape[-1] != width or W_o.shape[0] != width:
        raise ValueError(f"{n_head} heads for {width} columns")
    T = X.shape[-2]
    mask = np.tril(np.ones((T, T))) == 1 if causal else None
    d_head = width // n_head
    total = 0
    for h in range(n_head):
        part = slice(h * d_head, (h + 1) * d_head)
        head = attention(Q[..., part], K[..., part], V[..., part], mask)
        total = total + np.matmul(head, W_o[part])
    return total


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = to_float(Q, K, V, dZ)
    if V.shape[:-1] != K.shape[:-1] or dZ.shape != Q.shape[:-1] + V.shape[-1:]:
        raise ValueError(f"bad shapes {Q.shape} {K.shape} {V.shape} {dZ.shape}")
    A = attention_weights(Q, K, mask)
    dV = np.matmul(np.swapaxes(A, -1, -2), dZ)
    dA = np.matmul(dZ, np.swapaxes(V, -1, -2))
    eye = np.eye(A.shape[-1], dtype=A.dtype)
    jacobian = A[..., :, None] * eye - np.matmul(A[..., :, None], A[..., None, :])
    dS = np.matmul(jacobian, dA[..., None])[..., 0] / float(np.sqrt(Q.shape[-1]))
    dQ = np.matmul(dS, K)
    dK = np.matmul(np.swapaxes(dS, -1, -2), Q)
    return dQ, dK, dV
