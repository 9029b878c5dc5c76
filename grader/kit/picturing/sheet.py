"""A picture before it is written: matrices and sentences with their places, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from grader.heat.drawn import Drawn, Panel
from grader.kit.folding import folded
from grader.kit.picturing.remarks import remarks
from grader.words import picture as words
from grader.words.tests import called

Kind = Literal["title", "what", "side", "good", "bad", "plain", "key"]

_MARGIN, _GAP, _LINE = 24, 44, 20
_NARROWEST, _WIDEST = 560, 1300
# How wide a letter is in a line of 13 px, and half a Chinese character.
_LETTER = {"en": 7.2, "zh-TW": 6.6}
_SIGN = {True: "✓ ", False: "✗ ", None: ""}
_KIND: dict[bool | None, Kind] = {True: "good", False: "bad", None: "plain"}


@dataclass(frozen=True)
class Text:
    """A line of text: where it begins, and its baseline."""

    x: int
    y: int
    text: str
    kind: Kind


@dataclass(frozen=True)
class Placed:
    """A matrix, the place of its upper left corner, and whose it is."""

    x: int
    y: int
    panel: Panel
    side: str


@dataclass
class Sheet:
    """A picture."""

    title: str
    language: str
    width: int = _NARROWEST
    height: int = _MARGIN
    texts: list[Text] = field(default_factory=list)
    panels: list[Placed] = field(default_factory=list)

    def write(self, text: str, kind: Kind) -> None:
        """Write a text below everything, as many lines as it takes."""
        for line in folded(text, int((self.width - 2 * _MARGIN) / _LETTER[self.language])):
            self.height += _LINE
            self.texts.append(Text(_MARGIN, self.height - 6, line.strip(), kind))

    def place(self, panel: Panel, side: str, x: int, y: int) -> None:
        """Put a matrix at a place, with whose it is above it."""
        self.texts.append(Text(x, y + _LINE - 6, side, "side"))
        self.panels.append(Placed(x, y + _LINE, panel, side))
        self.height = max(self.height, y + _LINE + panel.height)


def sheet(title: str, heats: Sequence[Drawn], language: str) -> Sheet:
    """Return the picture of some heat maps, one below the other.

    Args:
        title: What stands above.
        heats: The heat maps.
        language: `en` or `zh-TW`.
    """
    made = Sheet(title, language, width=max([_NARROWEST, *map(_width, heats)]))
    made.write(title, "title")
    for heat in heats:
        made.height += _LINE
        made.write(called(heat.what, language), "what")
        _place_both(made, heat)
        made.height += _LINE // 2
        for remark in remarks(heat, language):
            made.write(f"{_SIGN[remark.good]}{remark.text}", _KIND[remark.good])
    made.height += _LINE
    made.write(words.KEY(language), "key")
    made.height += _MARGIN
    return made


def _place_both(made: Sheet, heat: Drawn) -> None:
    yours, right = heat.panels
    y = made.height
    made.place(yours, words.YOURS(made.language), _MARGIN, y)
    beside = yours.width + _GAP + right.width <= _WIDEST
    x, y = (_MARGIN + yours.width + _GAP, y) if beside else (_MARGIN, made.height + _LINE // 2)
    made.place(right, words.RIGHT(made.language), x, y)


def _width(heat: Drawn) -> int:
    yours, right = heat.panels
    both = yours.width + _GAP + right.width
    return 2 * _MARGIN + (both if both <= _WIDEST else max(yours.width, right.width))
