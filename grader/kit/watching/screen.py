"""A terminal, as something that a view is drawn on: of any size, with or without colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from grader.escape.terminal import line as escaped
from grader.kit.folding import folded
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
        body = [*body[: room - 1], Line(folded(view.rest(left), width)[0], "quiet")]
    return [*head, *body, *pinned, *feet][-(height - 1) :]


def _folded(lines: Sequence[Line], width: int) -> list[Line]:
    return [Line(row, each.tone) for each in lines for row in folded(each.text, width)]
