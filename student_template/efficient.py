"""Attention without the T x T matrix: a softmax that sees its scores block by block, and the output carried along.

``...`` is any number of leading batch axes, possibly none; T_q queries meet T_k keys of width d_k, whose values have
width d_v. Sources: Milakov & Gimelshein 2018, "Online normalizer calculation for softmax" (m and d are theirs); Rabe &
Staats 2021, "Self-attention Does Not Need O(n^2) Memory"; Dao et al. 2022, "FlashAttention" (whose l is d here, and
whose O is Z).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]


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
    """Return a list of the arrays, each in the dtype to compute in."""
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


def online_softmax(blocks: Iterable[Array]) -> tuple[Array, Array]:
    """Return the maximum m of a row of scores and d, its sum of exp(x - m), from blocks that are seen once, in order.

    With them softmax(x) = exp(x - m) / d for every score x of the row. They are stable for every finite score, up to
    the largest number of the dtype. A row of nothing but -inf has m = -inf and d = 0, and so has a row without scores.

    Args:
        blocks: A list, a tuple or any other iterable of score blocks, [..., n_i]: the same rows in each, n_i scores
            of every row, n_i of at least 0. At least one block.

    Returns:
        The tuple (m, d), both [..., 1]: float32 if every block is float32, else float64.

    Raises:
        ValueError: There is no block, or the rows of the blocks do not fit.

    Source: Milakov & Gimelshein 2018, algorithm 3.
    """
    raise NotImplementedError("efficient.online_softmax")


def blockwise_attention(Q: Array, K: Array, V: Array, tile: int, causal: bool = False) -> Array:
    """Return attention(Q, K, V) without ever holding its T_q x T_k matrix, but T_q x tile scores at a time.

    A query with nothing to attend to (there are no keys) has output 0.

    Args:
        Q: Queries, [..., T_q, d_k].
        K: Keys, [..., T_k, d_k].
        V: Values, [..., T_k, d_v].
        tile: How many keys are seen at a time, at least 1. It need not divide T_k, and may be larger.
        causal: Whether a query attends only to keys at its own position and before. The queries are the last T_q
            of the T_k positions.

    Returns:
        The output, [..., T_q, d_v]: float32 if every array is float32, else float64.

    Raises:
        ValueError: The shapes do not fit, d_k is 0, tile is less than 1, or causal has more queries than keys.

    Source: Dao et al. 2022, algorithm 1; Rabe & Staats 2021, section 2.
    """
    raise NotImplementedError("efficient.blockwise_attention")
