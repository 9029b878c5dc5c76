"""What is to be said of a matrix beside the right one: what its rows should sum to, whether they do, and what is not right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grader.heat.drawn import Drawn, Panel
from grader.words import picture as words

_ONE, _NONE = "1", "0"


class Remark(NamedTuple):
    """A sentence; `good` says whether it praises, None that it only says what should be."""

    text: str
    good: bool | None = None


def remarks(heat: Drawn, language: str) -> Iterator[Remark]:
    """Yield what is to be said of a heat map, in `en` or `zh-TW`."""
    yours, right = heat.panels
    if _shape(yours) != _shape(right):
        yield Remark(words.SHAPE(language, yours=_shape(yours), right=_shape(right)), good=False)
    yield from _of_rows(yours, right, language)
    wrong = sum(cell.differs for cell in yours.cells)
    if wrong:
        yield Remark(words.WRONG(language, count=wrong, of=len(yours.cells)), good=False)
    elif not heat.differs:
        yield Remark(words.ALL_RIGHT(language), good=True)


def _of_rows(yours: Panel, right: Panel, language: str) -> Iterator[Remark]:
    """What is said of rows where those of the right matrix share one unit each, or have nothing to share."""
    should = row_sums(right)
    if _ONE not in should or {*should} - {_ONE, _NONE}:
        return
    empty = [row for row, total in enumerate(should) if total == _NONE]
    told = words.NOTHING_TO_ATTEND_TO(language, rows=_listed(empty, language)) if empty else words.ROWS_SUM(language)
    yield Remark(told)
    wrong = [row for row, cell in enumerate(yours.sums[: len(yours.rows)]) if cell.differs]
    if wrong:
        columns_do = {*column_sums(yours)} == {_ONE}
        found = words.ROWS_DO_NOT(language, rows=_listed(wrong, language))
        yield Remark(f"{found}{words.COLUMNS_DO(language) if columns_do else ''}", good=False)
    elif len(yours.rows) == len(right.rows):
        yield Remark(words.ROWS_DO(language), good=True)


def row_sums(panel: Panel) -> list[str]:
    """Return what the rows of a matrix sum to, as it is written."""
    return [cell.text for cell in panel.sums[: len(panel.rows)]]


def column_sums(panel: Panel) -> list[str]:
    """Return what its columns sum to, as it is written."""
    return [cell.text for cell in panel.sums[len(panel.rows) :]]


def _listed(rows: Iterable[int], language: str) -> str:
    return words.BETWEEN(language).join(words.ROW(language, row=row) for row in rows)


def _shape(panel: Panel) -> str:
    return f"{len(panel.rows)} x {len(panel.columns)}"
