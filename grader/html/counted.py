"""What the gradebook says of an assignment of a student, as a page tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.gradebook.policy.final import Final
from grader.gradebook.policy.rulings import in_force
from grader.gradebook.policy.work import Ruling
from grader.html.words import STUDENT
from grader.model.points import rounded
from grader.words.said import Said


@dataclass(frozen=True)
class Counts:
    """What an assignment counts, and why.

    Args:
        score: What counts.
        points: What could be earned.
        earned: What was earned before lateness, as a person may have decided.
        decided: The scores that a person set, by exercise.
        notes: Lateness, decisions and comments, one after the other.
    """

    score: str
    points: str
    earned: str
    decided: Mapping[str, str]
    notes: Sequence[Said]


def counts(final: Final, rulings: Sequence[Ruling]) -> Counts:
    """Return what an assignment counts for a student."""
    told = (note for ruling in rulings for note in _ruled(ruling))
    decided = {exercise: points(score) for exercise, score in in_force(rulings).items()}
    return Counts(points(final.score), points(final.points), points(final.earned), decided, [*_notes(final), *told])


def points(exact: Fraction | float) -> str:
    """Return points with at most two decimals, halves up, as a person would round them."""
    whole = Fraction(str(exact)) if isinstance(exact, float) else exact
    return f"{rounded(whole):.2f}".rstrip("0").rstrip(".")


def filled(said: Said, **names: object) -> Said:
    """Return words with something of the page in the places for it."""
    return Said(*(text.format(**names) for text in said))


def _notes(final: Final) -> Iterator[Said]:
    if final.excused:
        yield STUDENT["excused"]
        return
    if final.attempt is None:
        yield STUDENT["missing"]
    if final.attempts > 1:
        yield filled(STUDENT["attempts"], n=final.attempts)
    if final.score != final.earned:
        yield filled(STUDENT["earned"], earned=points(final.earned))
    late = final.lateness
    if late.cut_off:
        yield STUDENT["too_late"]
    elif late.seconds:
        yield filled(STUDENT["late"], days=late.days)
    if late.from_bank:
        yield filled(STUDENT["bank"], bank=late.from_bank)
    if final.dropped:
        yield STUDENT["dropped"]
    if final.bonus:
        yield STUDENT["on_top"]


def _ruled(ruling: Ruling) -> Iterator[Said]:
    if ruling.kind == "score":
        yield _about(ruling, "decided", score=points(ruling.score or 0.0), reason=ruling.reason)
    elif ruling.kind == "withdrawn":
        yield _about(ruling, "withdrew", reason=ruling.reason)
    if ruling.comment:
        yield _about(ruling, "comment", comment=ruling.comment)


def _about(ruling: Ruling, words: str, **names: object) -> Said:
    what = Said(ruling.exercise, ruling.exercise) if ruling.exercise else STUDENT["all_of_it"]
    filled_in = (
        text.format(author=ruling.author, what=name, **names) for text, name in zip(STUDENT[words], what, strict=True)
    )
    return Said(*filled_in)
