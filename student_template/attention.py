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
    raise NotImplementedError("attention.softmax")


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
    raise NotImplementedError("attention.qkv")


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
    raise NotImplementedError("attention.scores")


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
    raise NotImplementedError("attention.weights")


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
    raise NotImplementedError("attention.attention")


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
    raise NotImplementedError("attention.two_tokens")


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
    raise NotImplementedError("attention.steps")


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
    raise NotImplementedError("attention.multi_head")


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
    raise NotImplementedError("attention.backward")
