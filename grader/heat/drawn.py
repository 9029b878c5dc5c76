"""A heat map as it is drawn: cells with their places, shades and numbers, and the sums of rows and columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.evidence import HeatMap

Matrix = Sequence[Sequence[float | None]]
SHADES = 9
WIDTH, HEIGHT = 58, 38
LEFT, TOP, GAP = 26, 24, 8
# Entries were rounded to six digits: a sum of sixteen may be off by this much.
_NEAR = 2e-5
_STRANGE = "NaN/∞"


@dataclass(frozen=True)
class Cell:
    """A number at its place; `shade` 0 is the lightest, None is no entry but a sum."""

    x: int
    y: int
    text: str
    shade: int | None
    differs: bool


@dataclass(frozen=True)
class Panel:
    """One of the two matrices."""

    side: str
    width: int
    height: int
    cells: Sequence[Cell]
    sums: Sequence[Cell]
    columns: Sequence[int]
    rows: Sequence[int]
    table: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Drawn:
    """A matrix of a submission beside the right one."""

    what: str
    differs: bool
    panels: Sequence[Panel]


def drawn(heat: HeatMap) -> Drawn:
    """Return a heat map as it is drawn; both matrices have the shades of one scale."""
    known = [abs(x) for matrix in (heat.got, heat.right) for row in matrix for x in row if x is not None]
    scale = max(known, default=0.0) or 1.0
    panels = (_panel("yours", heat.got, heat.right, scale), _panel("right", heat.right, heat.right, scale))
    return Drawn(heat.what, _shape(heat.got) != _shape(heat.right) or any(c.differs for c in panels[0].cells), panels)


def _panel(side: str, matrix: Matrix, right: Matrix, scale: float) -> Panel:
    height, width = _shape(matrix)
    alike = _shape(matrix) == _shape(right)
    x_of, y_of = [LEFT + WIDTH * j for j in range(width)], [TOP + HEIGHT * i for i in range(height)]
    x_sum, y_sum = LEFT + WIDTH * width + GAP, TOP + HEIGHT * height + GAP
    cells = [
        Cell(x_of[j], y_of[i], number(x), _shade(x, scale), alike and _differ(x, right[i][j], scale))
        for i, row in enumerate(matrix)
        for j, x in enumerate(row)
    ]
    of_rows, of_columns = _sums(matrix), _sums(_turned(matrix))
    right_rows = _sums(right)
    sums = [
        Cell(x_sum, y_of[i], number(x), None, len(right_rows) == height and _differ(x, right_rows[i], scale))
        for i, x in enumerate(of_rows)
    ] + [Cell(x_of[j], y_sum, number(x), None, differs=False) for j, x in enumerate(of_columns)]
    table = [[*map(number, row), number(total)] for row, total in zip(matrix, of_rows, strict=True)]
    last = [*map(number, of_columns), ""]
    return Panel(side, x_sum + WIDTH, y_sum + HEIGHT, cells, sums, x_of, y_of, [*table, last])


def number(x: float | None) -> str:
    """Return a number as a cell has room for it."""
    if x is None:
        return _STRANGE
    if x and not 0.0005 <= abs(x) < 1000:
        return f"{x:.1e}"
    return f"{x:.3f}".rstrip("0").rstrip(".") or "0"


def _shape(matrix: Matrix) -> tuple[int, int]:
    return len(matrix), len(matrix[0])


def _turned(matrix: Matrix) -> list[list[float | None]]:
    return [list(column) for column in zip(*matrix, strict=True)]


def _sums(matrix: Matrix) -> list[float | None]:
    return [None if None in row else math.fsum(x for x in row if x is not None) for row in matrix]


def _shade(x: float | None, scale: float) -> int | None:
    return 0 if x is None else min(SHADES - 1, round(abs(x) / scale * (SHADES - 1)))


def _differ(x: float | None, right: float | None, scale: float) -> bool:
    return x is None or right is None or abs(x - right) > _NEAR * max(scale, abs(right))
