"""Scaled dot-product attention, from a stable softmax to many heads and the gradient by hand.

Shapes are written as the lecture writes them: ``...`` is any number of leading batch axes, possibly none, and the same
ones in every array of a call; T_q queries meet T_k keys of width d_k, whose values have width d_v. A mask is boolean,
True = may attend, and broadcasts to the scores. Sources: Lecture 20, and Vaswani et al. 2017, "Attention Is All You
Need" (sections and equations below are theirs).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Mask = NDArray[np.bool_]


def computing_dtype(*arrays: Array) -> np.dtype:
    """Return the dtype to compute in: float32 if every array is float32, else float64.

    Raises:
        ValueError: An array does not hold real numbers.
    """
    dtypes = [np.asarray(array).dtype for array in arrays]
    if unreal := [dtype for dtype in dtypes if dtype.kind not in "biuf"]:
        raise ValueError(f"arrays of real numbers are needed, got {unreal[0]}")
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def as_floats(*arrays: Array) -> list[Array]:
    """Return a list of the arrays, each in the dtype to compute in.

    It is a list for a single array too: unpack it with ``[x] = as_floats(x)``.
    """
    dtype = computing_dtype(*arrays)
    return [np.asarray(array, dtype=dtype) for array in arrays]


def require_shapes(pattern: str, *arrays: ArrayLike) -> None:
    """Check shapes against a pattern such as ``"... T_q d_k, ... T_k d_k"``, one part for each array.

    A name is one size wherever it stands (``2`` is only a name too), and ``...`` the same leading axes, possibly none.

    Raises:
        ValueError: The shapes do not fit; the message holds them all.
    """
    shapes = [np.shape(array) for array in arrays]
    sizes: dict[str, object] = {}
    for names, shape in zip([part.split() for part in pattern.split(",")], shapes, strict=True):
        lead = len(shape) - len(names) + 1
        axes = (shape[:lead], *shape[lead:]) if names[0] == "..." else shape
        if len(axes) != len(names) or any(sizes.setdefault(*axis) != axis[1] for axis in zip(names, axes, strict=True)):
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not fit [{pattern.replace(', ', '] and [')}]")


def require_mask(mask: Mask, scores: Array) -> None:
    """Check that a mask is boolean and broadcasts to the scores, without more axes than they have.

    Raises:
        ValueError: It does not; the message holds its dtype, or both shapes.
    """
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise ValueError(f"a mask is boolean, True = may attend, not {mask.dtype}")
    try:
        np.broadcast_to(mask, scores.shape)
    except ValueError:
        raise ValueError(f"a mask of shape {mask.shape} does not broadcast to scores of {scores.shape}") from None


def softmax(x: Array, axis: int = -1) -> Array:
    """Return exp(x) / sum(exp(x)), the sum taken along an axis.

    It is stable for every finite x, up to the largest number of the dtype. An entry of -inf has weight 0, and where a
    whole slice is -inf there is nothing to share, so all its weights are 0. A slice that holds +inf or NaN
    has no softmax and comes out NaN.

    Args:
        x: Real numbers, any shape with at least one axis.
        axis: The axis along which the weights sum to 1.

    Returns:
        The weights, in the shape of x: float32 for float32, else float64.

    Raises:
        ValueError: x has no such axis, or is not real (NumPy's own AxisError is a ValueError).

    Source: Lecture 20, Q/K/V; the softmax of Vaswani et al. 2017, eq. 1.
    """
    # BEGIN SOLUTION
    require_shapes("... n", x)
    [x] = as_floats(x)
    # Never below the lowest finite number: -inf - (-inf) would be NaN, and the exp of -inf less any m is the 0 we want.
    m: Array = np.max(x, axis=axis, keepdims=True, initial=np.finfo(x.dtype).min)
    # The shift by m keeps exp from overflowing, but the shift itself can overflow: -max - (+max) is -inf, whose exp is
    # the right 0. So that one warning is noise; "invalid" is +inf - (+inf), where NaN is the honest answer.
    with np.errstate(over="ignore", invalid="ignore"):
        E = np.exp(x - m)
    Sum = E.sum(axis=axis, keepdims=True)  # at least 1, for the largest entry adds exp(0), or 0 where all are -inf
    return E / np.where(Sum == 0, 1, Sum)
    # END SOLUTION


def project_qkv(X: Array, W_q: Array, W_k: Array, W_v: Array) -> tuple[Array, Array, Array]:
    """Return queries Q = X W_q, keys K = X W_k and values V = X W_v.

    Args:
        X: One row for each token, [..., T, d_model].
        W_q: What a token asks, [d_model, d_k].
        W_k: What a token answers to, [d_model, d_k].
        W_v: What a token passes on, [d_model, d_v].

    Returns:
        The tuple (Q, K, V), of shapes [..., T, d_k], [..., T, d_k] and [..., T, d_v].

    Raises:
        ValueError: The shapes do not fit.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.2.
    """
    # BEGIN SOLUTION
    X, W_q, W_k, W_v = as_floats(X, W_q, W_k, W_v)
    return X @ W_q, X @ W_k, X @ W_v  # [..., T, d_k], [..., T, d_k], [..., T, d_v]
    # END SOLUTION


def attention_scores(Q: Array, K: Array) -> Array:
    """Return S = Q K^T / sqrt(d_k): entry [i, j] says how well query i matches key j.

    The scale keeps the variance of a score near 1 however wide the vectors are.

    Args:
        Q: Queries, [..., T_q, d_k].
        K: Keys, [..., T_k, d_k].

    Returns:
        The scores S, [..., T_q, T_k].

    Raises:
        ValueError: The shapes do not fit, or d_k is 0.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.1.
    """
    # BEGIN SOLUTION
    require_shapes("... T_q d_k, ... T_k d_k", Q, K)
    Q, K = as_floats(Q, K)
    d_k = Q.shape[-1]
    if d_k == 0:
        raise ValueError(f"queries and keys need a width, got shapes {Q.shape} and {K.shape}")
    # math.sqrt gives a Python float; the float64 of np.sqrt would turn float32 scores into float64.
    return Q @ K.swapaxes(-1, -2) / math.sqrt(d_k)  # [..., T_q, T_k]
    # END SOLUTION


def attention_weights(Q: Array, K: Array, mask: Mask | None = None) -> Array:
    """Return A, the softmax of each row of the masked scores: how query i shares one unit of attention among the keys.

    A forbidden key has weight exactly 0. The weights of a row sum to 1, or are all 0 where the mask leaves that query
    nothing to attend to.

    Args:
        Q: Queries, [..., T_q, d_k].
        K: Keys, [..., T_k, d_k].
        mask: Boolean, True = may attend; broadcasts to [..., T_q, T_k]. None forbids nothing.

    Returns:
        The weights A, [..., T_q, T_k].

    Raises:
        ValueError: The shapes do not fit, or the mask is not boolean or does not broadcast to the scores.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, eq. 1, and section 3.2.3 for the mask.
    """
    # BEGIN SOLUTION
    S = attention_scores(Q, K)  # [..., T_q, T_k]
    if mask is not None:
        require_mask(mask, S)
        S = np.where(mask, S, -np.inf)  # exp(-inf) is exactly 0; any finite fill leaks next to small enough scores
    return softmax(S, axis=-1)  # along the keys: each row is one query's distribution
    # END SOLUTION


def attention(Q: Array, K: Array, V: Array, mask: Mask | None = None) -> Array:
    """Return Z = A V: each query's mean of the values, weighted by its attention.

    A query with nothing to attend to has output 0.

    Args:
        Q: Queries, [..., T_q, d_k].
        K: Keys, [..., T_k, d_k].
        V: Values, [..., T_k, d_v].
        mask: Boolean, True = may attend; broadcasts to [..., T_q, T_k]. None forbids nothing.

    Returns:
        The output Z, [..., T_q, d_v].

    Raises:
        ValueError: The shapes do not fit, or the mask is not boolean or does not broadcast to the scores.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, eq. 1.
    """
    # BEGIN SOLUTION
    require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    return attention_weights(Q, K, mask) @ V  # [..., T_q, d_v]
    # END SOLUTION


def two_token_example(Q: Array | None = None, K: Array | None = None, V: Array | None = None) -> dict[str, Array]:
    """Work the lecture's example of two tokens: causal attention, with every step kept.

    Args:
        Q: Queries, [2, d_k]; the lecture's [[1], [2]] where left out.
        K: Keys, [2, d_k]; the lecture's [[1], [3]] where left out.
        V: Values, [2, d_v]; the lecture's [[10], [20]] where left out.

    Returns:
        A dict with the scores ``S`` before any mask [2, 2], the causal weights ``A`` [2, 2] and the output ``Z``
        [2, d_v]. With the lecture's numbers the first output is 10, for the first token sees itself alone, and the
        second is 19.82.

    Raises:
        ValueError: The shapes do not fit.

    Source: Lecture 20, Q/K/V, the example of two tokens.
    """
    Q = np.array([[1.0], [2.0]]) if Q is None else Q
    K = np.array([[1.0], [3.0]]) if K is None else K
    V = np.array([[10.0], [20.0]]) if V is None else V
    # BEGIN SOLUTION
    require_shapes("T d_k, T d_k, T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    S = attention_scores(Q, K)  # [T, T]
    A = attention_weights(Q, K, mask=np.tri(len(Q), dtype=bool))  # [T, T], rows sum to 1
    return {"S": S, "A": A, "Z": A @ V}  # Z: [T, d_v]
    # END SOLUTION


def attention_steps(Q: Array, K: Array, V: Array) -> dict[str, Array]:
    """Work causal self-attention as one does by hand for T = 3 and d_k = 2, with every step kept.

    Args:
        Q: Queries, [..., T, d_k].
        K: Keys, [..., T, d_k].
        V: Values, [..., T, d_v].

    Returns:
        A dict with ``scores`` [..., T, T]; ``masked``, the scores with -inf wherever a key comes after its query;
        ``weights`` [..., T, T]; and ``output`` [..., T, d_v].

    Raises:
        ValueError: The shapes do not fit.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, eq. 1 and section 3.2.3.
    """
    # BEGIN SOLUTION
    require_shapes("... T d_k, ... T d_k, ... T d_v", Q, K, V)
    Q, K, V = as_floats(Q, K, V)
    S = attention_scores(Q, K)  # [..., T, T]
    M = np.where(np.tri(S.shape[-1], dtype=bool), S, -np.inf)  # query i sees keys 0 to i
    A = softmax(M, axis=-1)  # each row sums to 1
    return {"scores": S, "masked": M, "weights": A, "output": A @ V}  # output: [..., T, d_v]
    # END SOLUTION


# BEGIN SOLUTION
def _split_heads(P: Array, n_head: int) -> Array:
    """Cut the columns into contiguous slices, one a head: [..., T, n_head * d_head] -> [..., n_head, T, d_head]."""
    if n_head < 1 or P.shape[-1] % n_head:
        raise ValueError(f"{P.shape[-1]} columns do not divide into {n_head} heads of equal width")
    slices = P.reshape(*P.shape[:-1], n_head, P.shape[-1] // n_head)  # [..., T, n_head, d_head]
    return slices.swapaxes(-2, -3)  # only now, for a reshape straight to [n_head, T, d_head] would mix the tokens


def _merge_heads(Z: Array) -> Array:
    """Lay the heads side by side again: [..., n_head, T, d_head] -> [..., T, n_head * d_head]."""
    slices = Z.swapaxes(-2, -3)  # [..., T, n_head, d_head]
    return slices.reshape(*slices.shape[:-2], slices.shape[-2] * slices.shape[-1])


# END SOLUTION


def multi_head_attention(
    X: Array,
    W_q: Array,
    W_k: Array,
    W_v: Array,
    W_o: Array,
    n_head: int,
    causal: bool = True,
) -> Array:
    """Return self-attention in n_head heads, laid side by side and mixed by W_o.

    Head h works on the h-th contiguous slice of d_head columns of Q, K and V, and its scores are divided
    by sqrt(d_head). The heads' outputs are concatenated in order, and the result is multiplied by W_o.

    Args:
        X: One row for each token, [..., T, d_in].
        W_q: All heads' query projections side by side, [d_in, n_head * d_head].
        W_k: All heads' key projections, [d_in, n_head * d_head].
        W_v: All heads' value projections, [d_in, n_head * d_head].
        W_o: The output projection, [n_head * d_head, d_out].
        n_head: The number of heads, at least 1.
        causal: Whether a token may attend only to itself and those before it.

    Returns:
        One row for each token, [..., T, d_out].

    Raises:
        ValueError: The shapes do not fit, or the projections do not divide into n_head heads.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.2.
    """
    # BEGIN SOLUTION
    require_shapes("... T d_in, d_in d, d_in d, d_in d, d d_out", X, W_q, W_k, W_v, W_o)
    X, W_q, W_k, W_v, W_o = as_floats(X, W_q, W_k, W_v, W_o)
    Q, K, V = (_split_heads(P, n_head) for P in project_qkv(X, W_q, W_k, W_v))  # [..., n_head, T, d_head]
    mask = np.tri(X.shape[-2], dtype=bool) if causal else None
    Z = attention(Q, K, V, mask)  # [..., n_head, T, d_head]
    return _merge_heads(Z) @ W_o  # [..., T, n_head * d_head] @ W_o -> [..., T, d_out]
    # END SOLUTION


def attention_backward(Q: Array, K: Array, V: Array, dZ: Array, mask: Mask | None = None) -> tuple[Array, Array, Array]:
    """Return the gradients of a loss with respect to Q, K and V, given its gradient dZ with respect to Z.

    Worked out by hand for Z = attention(Q, K, V, mask), without automatic differentiation. A query with nothing to
    attend to passes nothing back: its row of dQ is 0, and it adds nothing to dK and dV.

    Args:
        Q: Queries, [..., T_q, d_k].
        K: Keys, [..., T_k, d_k].
        V: Values, [..., T_k, d_v].
        dZ: The gradient with respect to the output, [..., T_q, d_v].
        mask: Boolean, True = may attend; broadcasts to [..., T_q, T_k]. None forbids nothing.

    Returns:
        The tuple (dQ, dK, dV), each in the shape of what it is the gradient of.

    Raises:
        ValueError: The shapes do not fit, or the mask is not boolean or does not broadcast to the scores.

    Source: Lecture 20, Q/K/V; the chain rule through Vaswani et al. 2017, eq. 1.
    """
    # BEGIN SOLUTION
    require_shapes("... T_q d_k, ... T_k d_k, ... T_k d_v, ... T_q d_v", Q, K, V, dZ)
    Q, K, V, dZ = as_floats(Q, K, V, dZ)
    A = attention_weights(Q, K, mask)  # [..., T_q, T_k]
    dV = A.swapaxes(-1, -2) @ dZ  # [..., T_k, d_v]
    dA = dZ @ V.swapaxes(-1, -2)  # [..., T_q, T_k]
    # A row of the softmax has the Jacobian diag(a) - a a^T; where A is 0, hidden keys and empty rows, so is dS.
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))  # [..., T_q, T_k]
    dQ = dS @ K / math.sqrt(K.shape[-1])  # [..., T_q, d_k]
    dK = dS.swapaxes(-1, -2) @ Q / math.sqrt(K.shape[-1])  # [..., T_k, d_k]
    return dQ, dK, dV
    # END SOLUTION
