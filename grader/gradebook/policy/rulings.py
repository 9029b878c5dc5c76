"""A person's decision in the place of the grader's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from grader.gradebook.policy.work import Attempt, Ruling


def in_force(rulings: Iterable[Ruling]) -> dict[str, Fraction]:
    """Return the scores that were set, by exercise, under the empty name that of the whole; of several the last stands."""
    found: dict[str, Fraction] = {}
    for ruling in rulings:
        if ruling.kind == "score" and ruling.score is not None:
            found[ruling.exercise] = Fraction(str(ruling.score))
        elif ruling.kind == "withdrawn":
            found.pop(ruling.exercise, None)
    return found


def earned(attempt: Attempt, rulings: Sequence[Ruling]) -> Fraction:
    """Return what an attempt earned: a score that was set for the whole, else the exercises' with those that were set for them."""
    decided = in_force(rulings)
    if "" in decided:
        return decided[""]
    changed = [score - _of(attempt.exercises, exercise) for exercise, score in decided.items()]
    return Fraction(str(attempt.score)) + sum(changed, Fraction(0))


def _of(exercises: Mapping[str, float], exercise: str) -> Fraction:
    return Fraction(str(exercises.get(exercise, 0.0)))
