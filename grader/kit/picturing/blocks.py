"""A heat map in a terminal: a matrix of blocks above its numbers, beside the right one; digits where there are no blocks."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len

from grader.heat.drawn import SHADES, Cell, Drawn, Panel
from grader.kit.folding import folded
from grader.kit.picturing.remarks import column_sums, remarks
from grader.words import picture as words
from grader.words.tests import called

# A matrix with more rows is drawn without its numbers.
_MOST_ROWS = 8
_GAPS = range(2, 7)
_TOLD = 3


@dataclass(frozen=True)
class Marks:
    """The characters that a heat map is made of: shades from the smallest number to the largest, and signs."""

    shades: str
    sum: str
    good: str
    bad: str


BLOCKS = Marks("·░▒▓█", "Σ", "✓", "✗")
DIGITS = Marks("0123456789", "sum", "ok", "x")


def marks_for(encoding: str | None, environment: Mapping[str, str]) -> Marks:
    """Return what can be shown where text is encoded like this, and to whoever set NO_COLOR (https://no-color.org)."""
    try:
        unicode = codecs.lookup(encoding or "ascii").name.startswith("utf")
    except LookupError:
        unicode = False
    return BLOCKS if unicode and not environment.get("NO_COLOR") else DIGITS


def plotted(heat: Drawn, language: str, width: int, marks: Marks) -> Iterator[str]:
    """Yield the lines of a heat map, none wider than `width` columns.

    Args:
        heat: The heat map; one that is too large for its numbers is drawn small, with what is told of it below.
        language: `en` or `zh-TW`.
        width: At least 40.
        marks: The characters to draw with.
    """
    sides = list(zip((words.YOURS(language), words.RIGHT(language)), heat.panels, strict=True))
    cell = max(len(text) for panel in heat.panels for row in panel.table for text in row) + 1
    drawn = [[side, *_numbered(panel, cell, marks)] for side, panel in sides]
    large = max(len(panel.rows) for panel in heat.panels) > _MOST_ROWS or max(map(_width, drawn)) > width
    if large:
        drawn = [[side, *_small(panel, marks, width)] for side, panel in sides]
    yield from folded(called(heat.what, language), width)
    yield from _beside(drawn, width)
    told = [*_summary(heat, language)] if large else []
    said = {True: f"{marks.good} ", False: f"{marks.bad} ", None: ""}
    told += [f"{said[remark.good]}{remark.text}" for remark in remarks(heat, language)]
    yield from (row for line in told for row in folded(_written(line, marks), width))


def key(language: str, width: int, marks: Marks) -> Sequence[str]:
    """Return the lines that say what the characters mean."""
    told = words.KEY_OF_BLOCKS(language, shades=marks.shades, sum=marks.sum, bad=marks.bad)
    return folded(told, width)


def _numbered(panel: Panel, width: int, marks: Marks) -> Iterator[str]:
    columns = len(panel.columns)
    yield _row("", [str(j) for j in range(columns)], width, marks, marks.sum)
    for i, total in enumerate(panel.sums[: len(panel.rows)]):
        cells = panel.cells[i * columns : (i + 1) * columns]
        yield _row("", [_shade(each, marks) * width for each in cells], width, marks)
        texts = [f"{_written(each.text, marks)}{'*' if each.differs else ''}" for each in cells]
        yield _row(str(i), texts, width, marks, _total(total, marks))
    yield _row(marks.sum, [_written(text, marks) for text in column_sums(panel)], width, marks)


def _small(panel: Panel, marks: Marks, width: int) -> Iterator[str]:
    columns = len(panel.columns)
    wide = 2 if 2 * columns + 16 <= width else 1
    for i, total in enumerate(panel.sums[: len(panel.rows)]):
        shades = "".join(_shade(each, marks) * wide for each in panel.cells[i * columns : (i + 1) * columns])
        yield f"{i:>2} {shades}  {marks.sum} {_total(total, marks)}"


def _summary(heat: Drawn, language: str) -> Iterator[str]:
    """What the numbers of a large matrix would have told: sums of columns, and the first entries that are not right."""
    yours, right = heat.panels
    for side, panel in ((words.YOURS, yours), (words.RIGHT, right)):
        yield words.COLUMN_SUMS(language, side=side(language), sums=", ".join(column_sums(panel)))
    wrong = [(n, cell) for n, cell in enumerate(yours.cells) if cell.differs]
    for n, cell in wrong[:_TOLD]:
        row, column = divmod(n, len(yours.columns))
        yield words.ENTRY(language, row=row, column=column, yours=cell.text, right=right.cells[n].text)


def _row(label: str, cells: Sequence[str], width: int, marks: Marks, total: str = "") -> str:
    middle = " ".join(f"{cell:^{width}}" for cell in cells)
    return f"{label:>{max(len(marks.sum), 2)}} {middle} {total}".rstrip()


def _total(cell: Cell, marks: Marks) -> str:
    text = _written(cell.text, marks)
    return f"{text} {marks.bad}" if cell.differs else text


def _shade(cell: Cell, marks: Marks) -> str:
    if cell.shade is None or not cell.text[-1].isdigit():
        return "?"
    return marks.shades[int(cell.shade * (len(marks.shades) - 1) / (SHADES - 1) + 0.5)]


def _written(text: str, marks: Marks) -> str:
    return text if marks is BLOCKS else text.replace("∞", "inf")


def _beside(blocks: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Lines of blocks, side by side where there is room for it."""
    left, right = blocks
    wide = _width(left)
    gap = min(width - wide - _width(right), _GAPS[-1])
    if gap < _GAPS[0]:
        yield from (*left, *right)
        return
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one}{' ' * (wide - cell_len(one) + gap)}{other}".rstrip()


def _width(lines: Sequence[str]) -> int:
    return max(map(cell_len, lines))
