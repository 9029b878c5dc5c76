"""How scores are spread: a bar for each tenth of the points, and one for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 200
_LEFT, _BOTTOM, _TOP = 10, 26, 22
_TENTHS = 10


@dataclass(frozen=True)
class Bar:
    """A bar of the histogram."""

    label: str
    count: int
    x: float
    y: float
    width: float
    height: float


def bars(shares: Sequence[float]) -> list[Bar]:
    """Return the histogram of shares of the points; what is above 1, by a bonus, counts as all of them.

    Args:
        shares: A number, usually between 0 and 1, for each submission.
    """
    counts = [0] * (_TENTHS + 1)
    for share in shares:
        # A share is a quotient of decimals: 0.7 may come out a little lower.
        counts[max(0, min(_TENTHS, int(share * _TENTHS + 1e-9)))] += 1
    highest = max(*counts, 1)
    step = (WIDTH - 2 * _LEFT) / len(counts)
    room = HEIGHT - _BOTTOM - _TOP
    return [
        Bar(
            _label(i),
            count,
            round(_LEFT + i * step + 3, 1),
            round(HEIGHT - _BOTTOM - tall, 1),
            round(step - 6, 1),
            round(tall, 1),
        )
        for i, count in enumerate(counts)
        for tall in [room * count / highest]
    ]


def _label(tenth: int) -> str:
    return "100" if tenth == _TENTHS else f"{10 * tenth}–{10 * tenth + 9}"  # noqa: RUF001  # the dash of a range
