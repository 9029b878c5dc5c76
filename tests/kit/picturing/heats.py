"""Heat maps for the tests of pictures."""

from __future__ import annotations

from grader.heat.drawn import Drawn, drawn
from grader.model.evidence import HeatMap


def heat(got, right, what="the weights") -> Drawn:
    return drawn(HeatMap(what=what, got=got, right=right))


RIGHT = [[0.5, 0.5], [0.25, 0.75]]
COLUMNS = heat([[0.2, 0.4], [0.8, 0.6]], RIGHT)
SAME = heat(RIGHT, RIGHT)
LARGE_RIGHT = [[1 / (i + 1) if j <= i else 0.0 for j in range(12)] for i in range(12)]
LARGE = heat(
    [[x + 0.5 * (i == 3) * (j == 1) for j, x in enumerate(row)] for i, row in enumerate(LARGE_RIGHT)], LARGE_RIGHT
)
