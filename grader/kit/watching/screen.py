"""A terminal, as something that a view is drawn on: of any size, with or without colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from grader.escape.terminal import line as escaped
from grader.kit.watching.view import Line, Tone, View

_STYLES: dict[Tone, str] = {
    "title": "bold",
    "passed": "bold green",
    "failed": "bold red",
    "to do": "bold yellow",
    "idea": "bold",
    "plain": "",
    "quiet": "dim",
    "loud": "bold white on red",
    "ask": "bold yellow",
}
# A wide character, with what may not begin a row after it and what may not end one before it; or a word with the space after it.
_PIECE = re.compile(r"[「『（《]*[\u2e80-\uffef][，。：；？！、」』）》…]*\s*|[^\s\u2e80-\uffef]+\s*|\s+")  # noqa: RUF001  # Chinese punctuation
_INDENT = 4
_NARROWEST = 12


class Screen:
    """Draws views.

    Args:
        file: The terminal.
    """

    def __init__(self, file: TextIO | None = None, **options: object) -> None:
        self._console = Console(file=file, highlight=False, markup=False, emoji=False, **options)  # type: ignore[arg-type]  # for tests: a size
        self._drawn_for: tuple[int, int] | None = None

    @property
    def is_terminal(self) -> bool:
        """Whether it is one that a screen can be drawn on."""
        return self._console.is_terminal

    @property
    def resized(self) -> bool:
        """Whether it has another size than the last view was drawn for."""
        return self._drawn_for != tuple(self._console.size)

    def draw(self, view: View) -> None:
        """Draw a whole screen in the place of the last."""
        width, height = self._console.size
        self._drawn_for = (width, height)
        rows = laid_out(view, width, height)
        self._console.control(Control.home(), Control.clear())
        for text, tone in rows:
            self._console.print(Text(text, style=_STYLES[tone], end="\n"), no_wrap=True, crop=True, overflow="crop")
        self.foot(view.foot)

    def foot(self, text: str) -> None:
        """Draw the last line anew."""
        if self._console.is_dumb_terminal:
            return
        self._console.control(Control((ControlType.CARRIAGE_RETURN,), (ControlType.ERASE_IN_LINE, 2)))
        shown = Text(escaped(text), style=_STYLES["quiet"], end="")
        # The last column stays free: some terminals go on to the next line once it is written to.
        shown.truncate(self._console.size.width - 1, overflow="ellipsis")
        self._console.print(shown, end="", no_wrap=True, overflow="crop")
        self._console.file.flush()

    def say(self, text: str) -> None:
        """Go on below what was drawn, with a line that stays."""
        self._console.print()
        self._console.print(escaped(text))


def laid_out(view: View, width: int, height: int) -> list[Line]:
    """Return the rows of a screen above its last line: no row is wider and together they are not higher than it is."""
    head, body, pinned = (_folded(each, width) for each in ([view.title], view.body, view.pinned))
    feet = [Line(""), *_folded([Line(view.keys, "quiet")], width)]
    room = max(height - len(head) - len(pinned) - len(feet) - 1, 1)
    if len(body) > room:
        left = len(body) - room + 1
        body = [*body[: room - 1], Line(folded(view.rest.format(count=left), width)[0], "quiet")]
    return [*head, *body, *pinned, *feet][-(height - 1) :]


def _folded(lines: Sequence[Line], width: int) -> list[Line]:
    return [Line(row, each.tone) for each in lines for row in folded(each.text, width)]


def folded(text: str, width: int) -> Sequence[str]:
    """Return a line as rows of at most `width` columns, what is carried over indented as the line and a little more."""
    rows = list(_rows(escaped(text), max(width, _NARROWEST)))
    return rows or [""]


def _rows(text: str, width: int) -> Iterator[str]:
    plain = text.lstrip(" ")
    indent = min(len(text) - len(plain), width // 2)
    row = " " * indent
    # What is carried over stands a little further in.
    hanging = min(indent + (2 if indent else _INDENT), width // 2)
    empty = True
    for piece in (part for whole in _pieces(plain) for part in _cut(whole, width - hanging)):
        if empty or cell_len(row) + cell_len(piece.rstrip()) <= width:
            row, empty = row + piece, False
        else:
            yield row.rstrip()
            row = " " * hanging + piece.lstrip()
    yield row.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """The parts that a row may end after: words, and the characters of Chinese with the punctuation that belongs to them."""
    yield from (found[0] for found in _PIECE.finditer(text))


def _cut(piece: str, width: int) -> Iterator[str]:
    """A piece in parts that fit into a row, each by itself."""
    while cell_len(piece.rstrip()) > width:
        head = chop_cells(piece, width)[0]
        yield head
        piece = piece[len(head) :]
    yield piece
