"""Objects, generators and a Jacobian matrix written out; the functions asked for are thin doors to them."""

# ruff: noqa: FBT002  # the flag is part of the exercise's signature

import dataclasses
import functools
import math
import operator

import numpy as np


class Precision:
    """The dtype in which a call is computed."""

    def __init__(self, *arrays):
        self.dtype = np.dtype("float64")
        if not any(a.dtype != np.float32 for a in arrays):
            self.dtype = np.dtype("float32")

    def __call__(self, array):
        return np.require(array, dtype=self.dtype)


@dataclasses.dataclass(frozen=True)
class Mask:
    allowed: np.ndarray | None = None

    def __post_init__(self):
        if self.allowed is not None and self.allowed.dtype.type is not np.bool_:
            raise ValueError("not boolean")

    def apply(self, scores):
        if self.allowed is None:
            return scores
        if self.allowed.ndim > scores.ndim:
            raise ValueError("too many axes")
        np.broadcast_to(self.allowed, scores.shape)
        return np.ma.array(scores, mask=np.broadcast_to(~self.allowed, scores.shape)).filled(-math.inf)

    @classmethod
    def causal(cls, length):
        positions = np.arange(length)
        return cls(np.less_equal.outer(positions, positions).T)


class Head:
    """One attention from queries to keys."""

    def __init__(self, Q, K, mask=None):
        if Q.ndim != K.ndim or Q.shape[-1] != K.shape[-1]:
            raise ValueError(f"{Q.shape} against {K.shape}")
        self.Q, self.K, self.mask = Q, K, mask or Mask()

    @property
    def scale(self):
        return 1 / math.sqrt(self.K.shape[-1])

    @functools.cached_property
    def scores(self):
        return np.vecdot(self.Q[..., :, None, :], self.K[..., None, :, :]) * self.scale

    @functools.cached_property
    def masked(self):
        return self.mask.apply(self.scores)

    @functools.cached_property
    def weights(self):
        return softmax(self.masked)

    def output(self, V):
        if V.ndim != self.K.ndim:
            raise ValueError(f"values {V.shape} for keys {self.K.shape}")
        return self.weights @ V

    def gradients(self, V, dZ):
        A = self.weights
        J = A[..., None] * np.eye(A.shape[-1], dtype=A.dtype) - A[..., :, None] * A[..., None, :]
        dS = np.squeeze(J @ (dZ @ np.matrix_transpose(V))[..., None], -1) * self.scale
        yield dS @ self.K
        yield np.matrix_transpose(dS) @ self.Q
        yield np.matrix_transpose(A) @ dZ


def slices(width, n_head):
    if n_head < 1:
        raise ValueError("no heads")
    if width % n_head:
        raise ValueError("heads of unequal width")
    step = width // n_head
    yield from (np.s_[..., start : start + step] for start in range(0, width, step))


def softmax(x, axis=-1):
    x = Precision(x)(x)
    top = functools.reduce(np.maximum, iter(np.moveaxis(x, axis, 0)))
    top = np.expand_dims(np.where(top == -np.inf, top.dtype.type(0), top), axis)
    with np.errstate(over="ignore"):
        powers = np.exp(x - top)
    total = np.expand_dims(functools.reduce(operator.add, iter(np.moveaxis(powers, axis, 0))), axis)
    return np.where(total, powers, 0) / np.where(total, total, 1)


def project_qkv(X, W_q, W_k, W_v):
    precise = Precision(X, W_q, W_k, W_v)
    if X.ndim < 2 or W_q.shape != W_k.shape:
        raise ValueError(f"X {X.shape}, W_q {W_q.shape}, W_k {W_k.shape}")
    return tuple(precise(X) @ precise(W) for W in (W_q, W_k, W_v))


def attention_scores(Q, K):
    return Head(*map(Precision(Q, K), (Q, K))).scores


def attention_weights(Q, K, mask=None):
    return Head(*map(Precision(Q, K), (Q, K)), Mask(mask)).weights


def attention(Q, K, V, mask=None):
    Q, K, V = map(Precision(Q, K, V), (Q, K, V))
    return Head(Q, K, Mask(mask)).output(V)


class Lecture:
    Q = np.array([[1.0], [2.0]])
    K = np.array([[1.0], [3.0]])
    V = np.array([[10.0], [20.0]])


def two_token_example(Q=Lecture.Q, K=Lecture.K, V=Lecture.V):
    Q, K, V = map(Precision(Q, K, V), (Q, K, V))
    head = Head(Q, K, Mask.causal(2))
    return {"S": head.scores, "A": head.weights, "Z": head.output(V)}


def attention_steps(Q, K, V):
    Q, K, V = map(Precision(Q, K, V), (Q, K, V))
    lengths = {array.shape[:-1][-1:] for array in (Q, K, V)}
    if len(lengths) != 1:
        raise ValueError(f"lengths {lengths}")
    head = Head(Q, K, Mask.causal(Q.shape[-2]))
    names = ("scores", "masked", "weights")
    return {name: getattr(head, name) for name in names} | {"output": head.output(V)}


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_head, causal=True):
    precise = Precision(X, W_q, W_k, W_v, W_o)
    mask = Mask.causal(X.shape[-2]) if causal else Mask()
    Q, K, V = (precise(X) @ precise(W) for W in (W_q, W_k, W_v))
    heads = (Head(Q[s], K[s], mask).output(V[s]) for s in slices(W_q.shape[1], n_head))
    return np.concatenate(tuple(heads), axis=-1) @ precise(W_o)


def attention_backward(Q, K, V, dZ, mask=None):
    Q, K, V, dZ = map(Precision(Q, K, V, dZ), (Q, K, V, dZ))
    head = Head(Q, K, Mask(mask))
    if head.output(V).shape != dZ.shape:
        raise ValueError(f"dZ {dZ.shape}")
    return tuple(head.gradients(V, dZ))
