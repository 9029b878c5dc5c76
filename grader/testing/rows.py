"""The property this project is named after: each row of attention weights sums to 1."""

from __future__ import annotations

import numpy as np

from grader.testing.bounded import Array, first_true
from grader.testing.structure import as_array
from grader.testing.tensors import plain
from grader.testing.tolerance import chosen

_SHOWN = 8


def assert_row_stochastic(A: object, *, empty: Array | None = None, what: str = "the weights") -> None:
    """Assert that every row of `A` [..., T_q, T_k] is a distribution: nothing negative, sum 1.

    Args:
        A: The weights.
        empty: Boolean [..., T_q], true for rows that may attend to nothing and so must sum to 0.
        what: How to call `A` in a message.

    Raises:
        AssertionError: With what the rows sum to, and the columns where it is they that sum to 1.
    """
    weights = as_array(plain(A), what=what)
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
        raise AssertionError(f"{what}{_told(weights, goal, first_true(bad))}")


def _told(weights: Array, goal: Array, row: tuple[int, ...]) -> str:
    """What the rows of a matrix sum to, and its columns where it is they that sum to 1: the student's own numbers."""
    *matrix, first = row
    sums, should = weights[*matrix].sum(axis=-1), goal[*matrix]
    ones = bool((should == 1).all())
    # A long matrix is shown from its first bad row on.
    start = first if len(sums) > _SHOWN else 0
    place = (f" at {matrix}" if matrix else "") + (f", from row {start} on" if start else "")
    wanted = "each should sum to 1" if ones else f"they should sum to {_listed(should[start:], should[first])}"
    return f"{place}: your rows sum to {_listed(sums[start:], sums[first])}, {wanted}{_columns(weights[*matrix])}"


def _columns(weights: Array) -> str:
    sums = weights.sum(axis=-2)
    # A column that no query may attend to sums to 0 and says nothing.
    told = sums[np.abs(sums) > 1e-6]
    ones = bool(told.size) and bool(np.allclose(told, 1.0, atol=1e-4))
    return f"; it is your columns that do: {_listed(sums, 1.0)}" if ones else ""


def _listed(sums: Array, telling: float) -> str:
    """The first few sums, with as many digits as it takes to see that the telling one is not quite 0 or 1."""
    near = 0 < min(abs(telling), abs(telling - 1)) < 0.001
    shown = ", ".join(_short(float(x), 8 if near else 3) for x in sums[:_SHOWN])
    return f"[{shown}{', ...' if len(sums) > _SHOWN else ''}]"


def _short(x: float, digits: int) -> str:
    return f"{x:.{digits}f}".rstrip("0").rstrip(".") if x < 1e6 else f"{x:.4g}"
