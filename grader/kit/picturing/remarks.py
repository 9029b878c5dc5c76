"""What is to be said of a matrix beside the right one: what its rows should sum to, whether they do, and what is not right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grader.heat.drawn import Drawn, Panel
from grader.kit.picturing.words import WORDS

_ONE, _NONE = "1", "0"


class Remark(NamedTuple):
    """A sentence; `good` says whether it praises, None that it only says what should be."""

    text: str
    good: bool | None = None


def remarks(heat: Drawn, language: str) -> Iterator[Remark]:
    """Yield what is to be said of a heat map, in `en` or `zh-TW`."""
    words = WORDS[language]
    yours, right = heat.panels
    if _shape(yours) != _shape(right):
        yield Remark(words.shape.format(yours=_shape(yours), right=_shape(right)), good=False)
    yield from _of_rows(yours, right, language)
    wrong = sum(cell.differs for cell in yours.cells)
    if wrong:
        yield Remark(words.wrong.format(count=wrong, of=len(yours.cells)), good=False)
    elif not heat.differs:
        yield Remark(words.all_right, good=True)


def _of_rows(yours: Panel, right: Panel, language: str) -> Iterator[Remark]:
    """What is said of rows where those of the right matrix share one unit each, or have nothing to share."""
    words, should = WORDS[language], row_sums(right)
    if _ONE not in should or {*should} - {_ONE, _NONE}:
        return
    empty = [row for row, total in enumerate(should) if total == _NONE]
    yield Remark(words.nothing_to_see.format(rows=_listed(empty, language)) if empty else words.rows_sum)
    wrong = [row for row, cell in enumerate(yours.sums[: len(yours.rows)]) if cell.differs]
    if wrong:
        columns_do = {*column_sums(yours)} == {_ONE}
        sentences = [
            words.rows_do_not.format(rows=_listed(wrong, language)),
            *([words.columns_do] if columns_do else []),
        ]
        yield Remark((" " if language == "en" else "").join(sentences), good=False)
    elif len(yours.rows) == len(right.rows):
        yield Remark(words.rows_do, good=True)


def row_sums(panel: Panel) -> list[str]:
    """Return what the rows of a matrix sum to, as it is written."""
    return [cell.text for cell in panel.sums[: len(panel.rows)]]


def column_sums(panel: Panel) -> list[str]:
    """Return what its columns sum to, as it is written."""
    return [cell.text for cell in panel.sums[len(panel.rows) :]]


def _listed(rows: Iterable[int], language: str) -> str:
    return (", " if language == "en" else "、").join(map(WORDS[language].row.format, rows))


def _shape(panel: Panel) -> str:
    return f"{len(panel.rows)} x {len(panel.columns)}"
