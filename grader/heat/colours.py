"""The colours of a heat map where it is not on a page: those of the pages by daylight, from the lightest shade to the darkest."""

from __future__ import annotations

from grader.heat.drawn import SHADES

SHADE = ("#f6f4ee", "#dadddd", "#bdc6cd", "#a0afbc", "#8498ac", "#68819b", "#4b6a8a", "#2e537a", "#123c69")
# What is written on each shade.
ON = ("#000000",) * 6 + ("#ffffff",) * 3
PAPER, INK, QUIET, GOOD, BAD = "#fdfcf9", "#1c1d20", "#5a5b61", "#22663a", "#a1261b"

if not len(SHADE) == len(ON) == SHADES:
    raise AssertionError("every shade has a colour, and one that is written on it")
