"""The property this project is named after: each row of attention weights sums to 1."""

from __future__ import annotations

import numpy as np

from grader.testing.bounded import Array, first_true
from grader.testing.structure import as_array
from grader.testing.telling import called, say
from grader.testing.tensors import plain
from grader.testing.tolerance import chosen
from grader.words import tests as words

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
        raise AssertionError(say(words.TWO_AXES, what=what, shape=weights.shape))
    if not np.isfinite(weights).all():
        raise AssertionError(
            say(words.NOT_FINITE, what=what, count=int((~np.isfinite(weights)).sum()), of=weights.size)
        )
    if (weights < 0).any():
        raise AssertionError(say(words.NEGATIVE, what=what, count=int((weights < 0).sum())))
    sums = weights.sum(axis=-1)
    goal = np.ones(sums.shape) if empty is None else np.where(np.broadcast_to(empty, sums.shape), 0.0, 1.0)
    tolerance = chosen(weights.dtype, None, None)
    bad = np.abs(sums - goal) > 10 * (tolerance.rtol + tolerance.atol)
    if bad.any():
        raise AssertionError(_told(what, weights, goal, first_true(bad)))


def _told(what: str, weights: Array, goal: Array, row: tuple[int, ...]) -> str:
    """What the rows of a matrix sum to, and its columns where it is they that sum to 1: the student's own numbers."""
    *matrix, first = row
    sums, should = weights[*matrix].sum(axis=-1), goal[*matrix]
    ones = bool((should == 1).all())
    # A long matrix is shown from its first bad row on.
    start = first if len(sums) > _SHOWN else 0
    place = say(words.AT_MATRIX, place=matrix) if matrix else ""
    place += say(words.FROM_ROW, row=start) if start else ""
    goals = _listed(should[start:], should[first])
    return say(
        words.YOUR_ROWS,
        what=f"{called(what)}{place}",
        sums=_listed(sums[start:], sums[first]),
        wanted=say(words.EACH_ONE) if ones else say(words.THEY_SHOULD, sums=goals),
        more=_columns(weights[*matrix]),
    )


def _columns(weights: Array) -> str:
    sums = weights.sum(axis=-2)
    # One column that sums to 0 is enough: then rows may be empty that should not be, and no column is to blame.
    ones = bool(sums.size) and bool(np.allclose(sums, 1.0, atol=1e-4))
    return say(words.YOUR_COLUMNS, sums=_listed(sums, 1.0)) if ones else ""


def _listed(sums: Array, telling: float) -> str:
    """The first few sums, with as many digits as it takes to see that the telling one is not quite 0 or 1."""
    near = 0 < min(abs(telling), abs(telling - 1)) < 0.001
    shown = ", ".join(_short(float(x), 8 if near else 3) for x in sums[:_SHOWN])
    return f"[{shown}{', ...' if len(sums) > _SHOWN else ''}]"


def _short(x: float, digits: int) -> str:
    return f"{x:.{digits}f}".rstrip("0").rstrip(".") if x < 1e6 else f"{x:.4g}"
