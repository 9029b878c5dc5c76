"""Matrices that a visible test lets a student see: theirs beside the right one, as their report draws them."""

from __future__ import annotations

from contextvars import ContextVar

import numpy as np

from grader.model.evidence import MOST_CELLS, HeatMap
from grader.testing.bounded import Array
from grader.testing.tensors import plain

_MOST_OF_A_TEST = 4
_DIGITS = 6

_shown: ContextVar[list[HeatMap] | None] = ContextVar("shown", default=None)


def show_heat_map(got: object, right: Array, what: str = "the weights") -> None:
    """Let the student's report draw a matrix beside the right one, each with the sums of its rows and columns.

    Only what a visible test shows is kept. A `got` that is no matrix, or a large one, is passed over: it is for an
    assertion to say so.

    Args:
        got: What the submission returned.
        right: What it should be, [rows, columns], at most 16 of each.
        what: How to call it.

    Raises:
        ValueError: `right` cannot be drawn.
    """
    expected = _cells(np.asarray(right))
    if expected is None or any(cell is None for row in expected for cell in row):
        raise ValueError(f"{what}: a heat map is a matrix of finite numbers, at most {MOST_CELLS} x {MOST_CELLS}")
    mine = _cells(plain(got))
    found = _shown.get()
    if found is not None and mine is not None and len(found) < _MOST_OF_A_TEST:
        found.append(HeatMap(what=what, got=mine, right=expected))


def keep_heat_maps() -> list[HeatMap]:
    """Return a list that takes the heat maps which tests show from now on, in the context that is the current one."""
    found: list[HeatMap] = []
    _shown.set(found)
    return found


def _cells(matrix: object) -> list[list[float | None]] | None:
    """The entries of a matrix, with None for what is not finite; None where it cannot be drawn."""
    if type(matrix) is not np.ndarray or matrix.dtype.kind not in "biuf" or matrix.ndim != 2:
        return None
    if not all(0 < size <= MOST_CELLS for size in matrix.shape):
        return None
    with np.errstate(all="ignore"):
        wide = matrix.astype(np.float64)
    return [[_cell(float(x)) for x in row] for row in wide]


def _cell(x: float) -> float | None:
    return float(f"{x:.{_DIGITS}g}") + 0.0 if np.isfinite(x) else None
