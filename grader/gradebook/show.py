"""What a class earned, after all that was decided about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.escape.terminal import line
from grader.gradebook.book import Book
from grader.gradebook.history import known_of, releases, students
from grader.gradebook.policy.final import Final, finals
from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.release import is_released
from grader.gradebook.policy.rulings import in_force
from grader.gradebook.policy.total import Total, total, with_lowest_dropped
from grader.gradebook.policy.work import Ruling
from grader.model.points import rounded

_TOTAL = "total"


@dataclass(frozen=True)
class Shown:
    """A student with what each assignment counts, what it comes to, and what was decided."""

    student: str
    finals: Sequence[Final]
    total: Total
    rulings: Mapping[str, Sequence[Ruling]]


def class_of(book: Book, policy: Policy) -> list[Shown]:
    """Return everybody in a gradebook."""
    known = known_of(book)
    groups = [group.members for group in policy.groups]
    return [
        Shown(
            student,
            each := with_lowest_dropped(finals(student, known, policy), policy.drop_lowest),
            total(each),
            {final.assignment: known.rulings.get((student, final.assignment), ()) for final in each},
        )
        for student in students(book, groups)
    ]


def released(book: Book, policy: Policy, now: int) -> list[str]:
    """Return the assignments that students may see."""
    by_hand = releases(book)
    return [name for name in known_of(book).points if is_released(policy, name, now, by_hand.get(name))]


def as_lines(shown: Sequence[Shown]) -> Iterator[str]:
    """Yield a line for each assignment of each student, and one for what it comes to where there are several."""
    width = max((len(line(each.student)) for each in shown), default=0)
    several = any(len(each.finals) > 1 for each in shown)
    names = max((len(final.assignment) for each in shown for final in each.finals), default=0)
    names = max(names, len(_TOTAL)) if several else names
    for each in shown:
        for final in each.finals:
            notes = "; ".join(_notes(final, each.rulings[final.assignment]))
            yield f"{line(each.student):<{width}}  {final.assignment:<{names}}  {_points(final.score, final.points)}  {notes}".rstrip()
        if several:
            yield f"{line(each.student):<{width}}  {_TOTAL:<{names}}  {_points(each.total.score, each.total.points)}"


def as_data(each: Shown) -> dict[str, object]:
    """Return a student as JSON takes it."""
    return {
        "student": each.student,
        "score": rounded(each.total.score),
        "points": float(each.total.points),
        "assignments": {final.assignment: _final(final, each.rulings[final.assignment]) for final in each.finals},
    }


def _final(final: Final, rulings: Sequence[Ruling]) -> dict[str, object]:
    late = final.lateness
    return {
        "score": rounded(final.score),
        "earned": rounded(final.earned),
        "points": float(final.points),
        "submitted": final.attempt and final.attempt.submitted,
        "dated_by": final.attempt and final.attempt.dated_by,
        "attempts": final.attempts,
        "seconds_late": late.seconds,
        "days_late": late.days,
        "days_from_bank": late.from_bank,
        "too_late": late.cut_off,
        "excused": final.excused,
        "dropped": final.dropped,
        "bonus": final.bonus,
        "decided": {name: float(score) for name, score in in_force(rulings).items()},
        "waiting": list(final.waiting),
        "comments": [vars(ruling) for ruling in rulings],
    }


def _notes(final: Final, rulings: Sequence[Ruling]) -> Iterator[str]:
    if final.excused:
        yield "excused"
        return
    if final.attempt is None:
        yield "nothing handed in"
    if final.attempts > 1:
        yield f"{final.attempts} attempts"
    if final.score != final.earned:
        yield f"earned {rounded(final.earned):.2f}"
    yield from _late(final)
    yield from (f"{file} waits for a person" for file in final.waiting)
    yield from (word for word, holds in (("dropped", final.dropped), ("on top", final.bonus)) if holds)
    for exercise, score in in_force(rulings).items():
        by = next(each for each in reversed(rulings) if each.kind == "score" and each.exercise == exercise)
        yield f"{exercise or 'all of it'} decided by {line(by.author)}: {rounded(score):.2f} ({line(by.reason)})"
    yield from (f"{line(each.author)}: {line(each.comment)}" for each in rulings if each.comment)


def _late(final: Final) -> Iterator[str]:
    late = final.lateness
    if late.seconds:
        paid = f", {late.from_bank} from the bank" if late.from_bank else ""
        yield "too late" if late.cut_off else f"{late.days} day{'s' if late.days > 1 else ''} late{paid}"


def _points(score: Fraction, points: Fraction) -> str:
    return f"{rounded(score):6.2f} / {float(points):g}"
