"""Masks: who may attend to whom, and a softmax that survives a query with nothing to attend to.

A mask is boolean, True = may attend. ``...`` is any number of leading batch axes, possibly none; B is the number of
sequences, T their length, T_q the number of queries and T_k the number of keys. Sources: Lecture 20, and Vaswani et al.
2017, "Attention Is All You Need", section 3.2.3.
"""

from __future__ import annotations

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


def require_boolean(*masks: Mask) -> None:
    """Check that every mask is boolean.

    Raises:
        ValueError: One is not; the message holds its dtype.
    """
    for mask in masks:
        if np.asarray(mask).dtype != np.bool_:
            raise ValueError(f"a mask is boolean, True = may attend, not {np.asarray(mask).dtype}")


def require_mask(mask: Mask, scores: Array) -> None:
    """Check that a mask is boolean and broadcasts to the scores, without more axes than they have.

    Raises:
        ValueError: It does not; the message holds its dtype, or both shapes.
    """
    require_boolean(mask)
    try:
        np.broadcast_to(mask, np.shape(scores))
    except ValueError:
        raise ValueError(
            f"a mask of shape {np.shape(mask)} does not broadcast to scores of {np.shape(scores)}"
        ) from None


def causal_mask(T_q: int, T_k: int | None = None) -> Mask:
    """Return the mask under which a token sees itself and those before it.

    The queries are the last T_q of the T_k positions, as when earlier keys stand in a cache: with T_q = 1 the one query
    sees every key.

    Args:
        T_q: The number of queries, at least 0.
        T_k: The number of keys, at least T_q; T_q where left out.

    Returns:
        The mask, bool [T_q, T_k].

    Raises:
        ValueError: T_q is negative, or there are fewer keys than queries.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.3.
    """
    raise NotImplementedError("masking.causal")


def padding_mask(lengths: NDArray[np.integer], T: int) -> Mask:
    """Return which positions hold a token, in sequences padded on the right to T.

    Args:
        lengths: The number of tokens in each sequence, integers [B], from 0 to T.
        T: The padded length, at least 0.

    Returns:
        The mask, bool [B, T]: True where there is a token.

    Raises:
        ValueError: T or a length is negative, a length is more than T, or lengths is not one axis of integers.

    Source: Lecture 20, Q/K/V.
    """
    raise NotImplementedError("masking.padding")


def sliding_window_mask(T: int, window: int) -> Mask:
    """Return the causal mask under which a token sees only the last `window` positions, itself included.

    Args:
        T: The number of tokens, at least 0.
        window: How many positions a token sees, at least 1. A window of T or more is the causal mask.

    Returns:
        The mask, bool [T, T].

    Raises:
        ValueError: window is less than 1, or T is negative.

    Source: Lecture 20, Q/K/V; Beltagy et al. 2020, "Longformer", section 3.1.
    """
    raise NotImplementedError("masking.window")


def combine_masks(causal: Mask, padding: Mask) -> Mask:
    """Return the mask that forbids what either mask forbids, ready to broadcast over heads.

    Padding hides keys only: a padded query still attends as the causal mask says (its output is ignored
    later).

    Args:
        causal: Who may attend to whom by position, bool [T, T].
        padding: Which positions hold a token, bool [B, T].

    Returns:
        The mask, bool [B, 1, T, T], whose axes are sequence, head, query and key.

    Raises:
        ValueError: The shapes do not fit, or a mask is not boolean.

    Source: Lecture 20, Q/K/V.
    """
    raise NotImplementedError("masking.combine")


def apply_mask(scores: Array, mask: Mask) -> Array:
    """Return the scores with exactly -inf wherever the mask is False.

    Args:
        scores: The scores, [..., T_q, T_k].
        mask: Boolean, True = may attend; broadcasts to the scores.

    Returns:
        The masked scores, in the shape of the scores: float32 for float32, else float64.

    Raises:
        ValueError: The mask is not boolean or does not broadcast to the scores.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, section 3.2.3.
    """
    raise NotImplementedError("masking.apply")


def masked_softmax(scores: Array, mask: Mask) -> Array:
    """Return the softmax of each row of the scores over the keys that the mask allows.

    A forbidden key has weight exactly 0. Each row sums to 1, or is all 0 where the mask forbids every key. It is stable
    for every finite score, up to the largest number of the dtype.

    Args:
        scores: The scores, [..., T_q, T_k].
        mask: Boolean, True = may attend; broadcasts to the scores.

    Returns:
        The weights, in the shape of the scores: float32 for float32, else float64.

    Raises:
        ValueError: The mask is not boolean or does not broadcast to the scores.

    Source: Lecture 20, Q/K/V; Vaswani et al. 2017, eq. 1 and section 3.2.3.
    """
    raise NotImplementedError("masking.softmax")
