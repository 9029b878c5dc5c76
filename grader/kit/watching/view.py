"""What a watch shows: lines with a meaning each, of any width and without colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Tone = Literal["title", "passed", "failed", "to do", "idea", "plain", "quiet", "loud", "ask"]


class Line(NamedTuple):
    """A line, and how it is meant."""

    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class View:
    """A whole screen.

    Args:
        title: Which exercise, and how far the student is.
        body: What there is to say; where the screen is too small its end is left out.
        pinned: What is shown below it in any case: hints, a question, an answer.
        keys: Which keys do what.
        foot: What is going on; it is drawn anew every second.
        rest: Says what stands in the place of lines left out, by their number.
    """

    title: Line
    body: Sequence[Line]
    pinned: Sequence[Line]
    keys: str
    foot: str
    rest: Callable[[int], str]
