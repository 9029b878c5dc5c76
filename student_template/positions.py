"""Positions: what tells an encoder in which order its tokens stand, and a test of whether it notices.

``...`` is any number of leading batch axes, possibly none; T is the number of tokens. Positions count from 0, angles are
in radians, and the frequency of pair i of columns is base^(-2i/d). Sources: Lecture 20; Vaswani et al. 2017, "Attention
Is All You Need", section 3.5; Su et al. 2021, "RoFormer", section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
Numbers = NDArray[Any]


def computing_dtype(*arrays: Numbers) -> np.dtype:
    """Return the dtype to compute in: float32 if every array is float32, else float64.

    Raises:
        ValueError: An array does not hold real numbers.
    """
    dtypes = [np.asarray(array).dtype for array in arrays]
    if unreal := [dtype for dtype in dtypes if dtype.kind not in "biuf"]:
        raise ValueError(f"arrays of real numbers are needed, got {unreal[0]}")
    return np.dtype(np.float32 if all(dtype == np.float32 for dtype in dtypes) else np.float64)


def as_floats(*arrays: Numbers) -> list[Array]:
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


def rope_frequencies(d_head: int, base: float = 10000.0) -> Array:
    """Return how fast each pair of columns turns: base^(-2i/d_head) radians a position for pair i, counted from 0.

    Args:
        d_head: The width, of a head or of an embedding, even and at least 2.
        base: Positive. The frequencies go from 1 towards 1/base: the larger it is, the slower the last pairs.

    Returns:
        The frequencies, float64 [d_head/2]; the first is 1.

    Raises:
        ValueError: d_head is odd, or a number is out of range.

    Source: Lecture 20, positions; Su et al. 2021, section 3.2.2.
    """
    raise NotImplementedError("positions.rope_frequencies")


def sinusoidal_encoding(T: int, d_model: int, base: float = 10000.0) -> Array:
    """Return the table of sines and cosines that is added to T token embeddings.

    Row p belongs to position p. Column 2i is sin(p / base^(2i/d_model)), column 2i+1 the cosine of the same angle.

    Args:
        T: The number of positions, at least 0.
        d_model: The width of the embeddings, even and at least 2.
        base: Positive. The frequencies go from 1 towards 1/base: the larger it is, the slower the last pairs.

    Returns:
        The encoding, float64 [T, d_model].

    Raises:
        ValueError: d_model is odd, or a number is out of range.

    Source: Lecture 20, positions; Vaswani et al. 2017, section 3.5.
    """
    raise NotImplementedError("positions.sinusoidal")


def rotate_2d(x: Numbers, angle: float | Array) -> Array:
    """Return vectors of the plane, turned counter-clockwise by an angle.

    Args:
        x: The vectors, [..., 2].
        angle: How far, in radians: one number. That is all that is graded here; a version that also takes an array [...],
            an angle for each vector, makes `apply_rope` short.

    Returns:
        The turned vectors, [..., 2]: float32 for float32 vectors, else float64.

    Raises:
        ValueError: The last axis of x is not of length 2.

    Source: Su et al. 2021, equation 13.
    """
    raise NotImplementedError("positions.rotate_2d")


def apply_rope(x: Numbers, positions: Numbers, base: float = 10000.0) -> Array:
    """Return queries or keys, each pair of columns (2i, 2i+1) turned by position * frequency i, counter-clockwise.

    Args:
        x: One row a token, [..., T, d_head], d_head even.
        positions: Where each token stands: [T], the same for the whole batch, or [..., T], with the leading axes of x. Any
            real numbers: they need not start at 0, be whole, or come in order.
        base: Positive.

    Returns:
        The turned rows, [..., T, d_head]: float32 for float32 x, else float64, whatever the dtype of the positions.

    Raises:
        ValueError: The shapes do not fit, d_head is odd, or base is not positive.

    Source: Lecture 20, positions; Su et al. 2021, section 3.2.2.
    """
    raise NotImplementedError("positions.rope")


def relative_scores(q: Numbers, k: Numbers, n: int, base: float = 10000.0) -> Array:
    """Return what a query and a key say to each other, for every pair of positions below n.

    Entry [i, j] is q turned to position i, dotted with k turned to position j. It is not scaled, and it depends on i - j
    alone: each diagonal is constant.

    Args:
        q: A query, [d_head], d_head even.
        k: A key, [d_head].
        n: The number of positions, at least 0.
        base: Positive.

    Returns:
        The scores, [n, n]: float32 where q and k are float32, else float64.

    Raises:
        ValueError: The shapes do not fit, d_head is odd, or a number is out of range.

    Source: Lecture 20, positions; Su et al. 2021, equation 16.
    """
    raise NotImplementedError("positions.relative")


def order_sensitivity(encode: Callable[[Numbers], Numbers], X: Numbers, perm: NDArray[np.integer]) -> float:
    """Return how much it matters to an encoder in which order its tokens stand.

    That is the largest absolute entry of encode(X[perm]) - encode(X)[perm]: shuffle before, or shuffle after. It is 0, up
    to rounding, for an encoder that knows nothing of positions, and not 0 for one that does.

    Args:
        encode: A function: given tokens [T, d], it returns what it makes of each, [T, ...], in any real dtype.
        X: The tokens, [T, d].
        perm: A permutation: each of the integers 0 .. T-1 once.

    Returns:
        The largest absolute difference, a Python float; 0.0 where there are no tokens.

    Raises:
        ValueError: X is not [T, d], or perm is no permutation of its rows.

    Source: Lecture 20, positions; Vaswani et al. 2017, section 3.5.
    """
    raise NotImplementedError("positions.permutation")
