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
    # BEGIN SOLUTION
    if d_head < 2 or d_head % 2 or not base > 0:
        raise ValueError(f"an even d_head >= 2 and a base > 0 are needed, got {d_head} and {base}")
    return base ** (-np.arange(0, d_head, 2) / d_head)  # [d_head/2]
    # END SOLUTION


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
    # BEGIN SOLUTION
    angles = np.arange(T)[:, None] * rope_frequencies(d_model, base)  # [T, 1] * [d_model/2] -> [T, d_model/2]
    PE = np.empty((T, d_model))  # NumPy refuses less than 0 rows
    PE[:, 0::2] = np.sin(angles)
    PE[:, 1::2] = np.cos(angles)
    return PE
    # END SOLUTION


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
    # BEGIN SOLUTION
    [x] = as_floats(x)
    if x.shape[-1:] != (2,):
        raise ValueError(f"vectors of the plane have shape [..., 2], got {x.shape}")
    angle = np.broadcast_to(angle, x.shape[:-1])  # [...]
    # The cosine of a Python float is a NumPy float64, which would turn float32 vectors into float64.
    cos, sin = np.cos(angle).astype(x.dtype), np.sin(angle).astype(x.dtype)
    x0, x1 = x[..., 0], x[..., 1]  # [...], [...]
    return np.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], axis=-1)  # [..., 2]
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("... T d_head", x)
    shape = np.shape(x)
    if np.shape(positions) not in {shape[-2:-1], shape[:-1]}:
        raise ValueError(f"x of shape {shape} needs positions of shape [T] or [..., T], got {np.shape(positions)}")
    frequencies = rope_frequencies(shape[-1], base)  # [d_head/2]
    # In float64, as the frequencies are, whatever x is: at position 100000 a float32 angle is a hundredth of a radian off.
    angles = np.asarray(positions)[..., None] * frequencies  # [..., T, d_head/2]
    pairs = np.reshape(x, (*shape[:-1], len(frequencies), 2))  # [..., T, d_head/2, 2]
    return rotate_2d(pairs, angles).reshape(shape)
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("d_head, d_head", q, k)
    q, k = as_floats(q, k)
    # The same query, at every position; NumPy refuses to repeat it less than 0 times.
    Q = apply_rope(np.tile(q, (n, 1)), np.arange(n), base)  # [n, d_head]
    K = apply_rope(np.tile(k, (n, 1)), np.arange(n), base)  # [n, d_head]
    return Q @ K.T  # [n, n]
    # END SOLUTION


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
    # BEGIN SOLUTION
    require_shapes("T d, T", X, perm)
    X, perm = np.asarray(X), np.asarray(perm)
    if perm.dtype.kind not in "iu" or not np.array_equal(np.sort(perm), np.arange(len(X))):
        raise ValueError(f"a permutation holds each of 0 .. {len(X) - 1} once, got {perm}")
    # As floats, for the difference of unsigned integers would wrap around.
    before, after = as_floats(encode(X[perm]), np.asarray(encode(X))[perm])  # [T, ...] both
    return float(np.max(np.abs(before - after), initial=0.0))
    # END SOLUTION
