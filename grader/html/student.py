"""A student's page: nothing on it that their report does not hold, but for what the gradebook counts and their own curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.graded.read import Counted, Graded
from grader.html.counted import Counts, counts, filled, points
from grader.html.curves import Figure, figures
from grader.html.exercise import Shown, shown
from grader.html.page import render
from grader.html.words import STUDENT
from grader.model.report import StudentAssignment
from grader.model.verdict import Status
from grader.score.student import for_student
from grader.words.said import Said


@dataclass(frozen=True)
class Part:
    """An assignment as its student sees it.

    Args:
        assignment: What the report says.
        exercises: Its exercises.
        unimported: Why files cannot be imported, each reason once.
        counts: What the gradebook counts; None without one.
        released: Whether students may see it; None without a gradebook.
    """

    assignment: StudentAssignment
    exercises: Sequence[Shown]
    unimported: Sequence[str]
    counts: Counts | None
    released: bool | None


def student_page(graded: Graded, book: Counted | None, *, language: str, released_only: bool = False) -> str | None:
    """Return the page of a submission.

    Args:
        graded: The submission.
        book: What the gradebook says of the class.
        language: The one that is shown first.
        released_only: Whether what is not released is left out.

    Returns:
        The page, or None where nothing of it is to be seen.
    """
    report = for_student(graded.report)
    parts = [_part(each, graded, book) for each in report.assignments]
    seen = [part for part in parts if part.released is not False] if released_only else parts
    if not seen:
        return None
    whole = len(seen) == len(parts)
    return render(
        "student.html.j2",
        language=language,
        words=STUDENT,
        report=report,
        parts=seen,
        score=_sum([part.assignment.score for part in seen]),
        points=points(sum(Fraction(str(part.assignment.points)) for part in seen)),
        total=_total(graded, earned=report.score, several=len(parts) > 1) if whole else None,
        figures=_figures(graded),
        number=points,
    )


def _part(assignment: StudentAssignment, graded: Graded, book: Counted | None) -> Part:
    finals = graded.counted.finals if graded.counted else ()
    counted = next((final for final in finals if final.assignment == assignment.id), None)
    rulings = graded.counted.rulings.get(assignment.id, ()) if graded.counted else ()
    return Part(
        assignment,
        [shown(place, each) for place, each in enumerate(assignment.exercises, 1)],
        list(
            dict.fromkeys(
                each.message for each in assignment.exercises if each.status is Status.IMPORT_ERROR and each.message
            )
        ),
        counts(counted, rulings) if counted else None,
        assignment.id in book.released if book else None,
    )


def _sum(scores: Sequence[float | None]) -> str | None:
    known = [Fraction(str(score)) for score in scores if score is not None]
    return points(sum(known, Fraction(0))) if len(known) == len(scores) else None


def _total(graded: Graded, *, earned: float | None, several: bool) -> Said | None:
    """What counts in all, where that is not what the page says anyway."""
    if graded.counted is None:
        return None
    total = graded.counted.total
    if not several and earned is not None and points(total.score) == points(earned):
        return None
    return filled(STUDENT["total"], score=points(total.score), points=points(total.points))


def _figures(graded: Graded) -> list[Figure]:
    return figures(graded.report.submission.files)
