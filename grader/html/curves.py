"""Curves of a run, read from a table that was handed in: a CSV file of numbers whose first column is `step`."""

from __future__ import annotations

import base64
import csv
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model.report import SubmittedFile

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 72, 14, 12, 34
_MOST_ROWS, _MOST_COLUMNS, _MOST_POINTS = 200_000, 8, 300
_LONGEST_NAME = 40
_STEP = "step"
# Curves that are read against one another share a figure.
_TOGETHER = "loss"
_TICKS = 4
# A step this much shorter than asked for will do: rather a tick too many than one alone.
_ENOUGH = 0.6


@dataclass(frozen=True)
class Curve:
    """One column of the table."""

    name: str
    points: str
    first: str
    last: str
    lowest: str


@dataclass(frozen=True)
class Tick:
    """A number at an axis."""

    place: float
    text: str


@dataclass(frozen=True)
class Figure:
    """Curves over one axis of steps."""

    file: str
    curves: Sequence[Curve]
    across: Sequence[Tick]
    up: Sequence[Tick]

    @property
    def names(self) -> str:
        """What is drawn."""
        return ", ".join(curve.name for curve in self.curves)


def figures(files: Sequence[SubmittedFile]) -> list[Figure]:
    """Return what can be drawn of what was handed in; a file that is no such table gives nothing."""
    return [figure for file in files if file.name.endswith(".csv") for figure in _of(file)]


def _of(file: SubmittedFile) -> Iterator[Figure]:
    table = _table(base64.b64decode(file.content))
    steps = table.pop(_STEP, [])
    if len(steps) < 2 or len(table) > _MOST_COLUMNS:
        return
    groups: dict[str, list[str]] = {}
    for name in table:
        groups.setdefault(_TOGETHER if _TOGETHER in name else name, []).append(name)
    for names in groups.values():
        yield _figure(file.name, steps, {name: table[name] for name in names})


def _table(content: bytes) -> dict[str, list[float]]:
    """The columns by name; nothing where it is no table of finite numbers."""
    lines = csv.reader(content.decode("utf-8", errors="replace").splitlines())
    try:
        head = next(lines, [])
        if head[:1] != [_STEP] or len(set(head)) < len(head) or any(len(name) > _LONGEST_NAME for name in head):
            return {}
        rows = [[float(x) for x in row] for row, _ in zip(lines, range(_MOST_ROWS), strict=False)]
    except (csv.Error, ValueError):
        return {}
    if any(len(row) != len(head) or not all(map(math.isfinite, row)) for row in rows):
        return {}
    return {name: [row[i] for row in rows] for i, name in enumerate(head)}


def _figure(file: str, steps: Sequence[float], columns: dict[str, list[float]]) -> Figure:
    lowest, highest = min(map(min, columns.values())), max(map(max, columns.values()))
    x_axis, y_axis = (min(steps), max(steps)), (lowest, highest)
    curves = [
        Curve(name, _line(steps, column, x_axis, y_axis), _short(column[0]), _short(column[-1]), _short(min(column)))
        for name, column in columns.items()
    ]
    across = [Tick(_x(value, x_axis), _short(value)) for value in _ticks(*x_axis)]
    up = [Tick(_y(value, y_axis), _short(value)) for value in _ticks(*y_axis)]
    return Figure(file, curves, across, up)


def _line(steps: Sequence[float], column: Sequence[float], across: tuple[float, float], up: tuple[float, float]) -> str:
    """The points of a polyline. Of a long run the lowest and the highest of each stretch are kept, so that no spike is lost."""
    stretch = max(1, math.ceil(len(column) / _MOST_POINTS * 2))
    kept: list[int] = []
    for start in range(0, len(column), stretch):
        part = range(start, min(start + stretch, len(column)))
        kept += sorted({min(part, key=column.__getitem__), max(part, key=column.__getitem__)})
    return " ".join(f"{_x(steps[i], across):.1f},{_y(column[i], up):.1f}" for i in kept)


def _x(value: float, ends: tuple[float, float]) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * _part(value, ends), 1)


def _y(value: float, ends: tuple[float, float]) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _part(value, ends), 1)


def _part(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    # Halved first, for the distance of two numbers may be larger than any.
    width = high / 2 - low / 2
    return (value / 2 - low / 2) / width if width else 0.5


def _ticks(low: float, high: float) -> list[float]:
    """The multiples of a round number between both ends; the ends themselves where there is no such number."""
    apart = (high - low) / _TICKS
    if not sys.float_info.min < apart < math.inf:
        return sorted({low, high})
    power = 10.0 ** math.floor(math.log10(apart))
    step = next(
        (power * round_number for round_number in (1, 2, 5) if power * round_number >= _ENOUGH * apart), power * 10
    )
    return [step * times for times in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _short(value: float) -> str:
    return f"{value:.4g}"
