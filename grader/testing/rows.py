"""The property this project is named after: each row of attention weights sums to 1."""

from __future__ import annotations

import numpy as np

from grader.testing.bounded import Array, first_true
from grader.testing.structure import as_array
from grader.testing.tolerance import chosen


def assert_row_stochastic(A: object, *, empty: Array | None = None, what: str = "the weights") -> None:
    """Assert that every row of `A` [..., T_q, T_k] is a distribution: nothing negative, sum 1.

    Args:
        A: The weights.
        empty: Boolean [..., T_q], true for rows that may attend to nothing and so must sum to 0.
        what: How to call `A` in a message.

    Raises:
        AssertionError: Naming the row and its sum, and whether it is the columns that sum to 1.
    """
    weights = as_array(A, what=what)
    if weights.ndim < 2:
        raise AssertionError(f"{what} should have at least two axes, [..., T_q, T_k]; got shape {weights.shape}")
    if not np.isfinite(weights).all():
        raise AssertionError(f"{what}: {int((~np.isfinite(weights)).sum())} of {weights.size} entries are not finite")
    if (weights < 0).any():
        raise AssertionError(f"{what}: {int((weights < 0).sum())} entries are negative; a weight is a share, 0 or more")
    sums = weights.sum(axis=-1)
    goal = np.ones(sums.shape) if empty is None else np.where(np.broadcast_to(empty, sums.shape), 0.0, 1.0)
    tolerance = chosen(weights.dtype, None, None)
    bad = np.abs(sums - goal) > 10 * (tolerance.rtol + tolerance.atol)
    if bad.any():
        index = first_true(bad)
        raise AssertionError(
            f"{what}: row {list(index)} sums to {sums[index]:.4g}, expected {goal[index]:g}{_columns(weights)}"
        )


def _columns(weights: Array) -> str:
    sums = weights.sum(axis=-2)
    # A column that no query may attend to sums to 0 and says nothing.
    told = sums[np.abs(sums) > 1e-6]
    ones = bool(told.size) and bool(np.allclose(told, 1.0, atol=1e-4))
    return "; your columns sum to 1, your rows should" if ones else ""
