"""What a course comes to for a student."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.gradebook.policy.final import Final


@dataclass(frozen=True)
class Total:
    """What counts, of what is asked for."""

    score: Fraction
    points: Fraction


def with_lowest_dropped(finals: Sequence[Final], number: int) -> list[Final]:
    """Return assignments with the lowest marked as dropped, by the part of the points that each came to; one at least counts.

    Of several that are as low, the one with the most points goes. What is excused or on top is never dropped.
    """
    asked = [final for final in finals if not final.excused and not final.bonus]
    lowest = sorted(asked, key=lambda final: (final.score / final.points, -final.points, final.assignment))
    dropped = {final.assignment for final in lowest[: min(number, max(0, len(asked) - 1))]}
    return [replace(final, dropped=final.assignment in dropped) for final in finals]


def total(finals: Sequence[Final]) -> Total:
    """Return what counts, of what is asked for."""
    counting = [final for final in finals if not final.excused and not final.dropped]
    asked = [final.points for final in counting if not final.bonus]
    return Total(sum((final.score for final in counting), Fraction(0)), sum(asked, Fraction(0)))
