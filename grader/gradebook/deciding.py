"""What persons decide and have forgotten: overrides, comments, releases, the data of a student."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from grader.gradebook.book import Book
from grader.gradebook.history import by_hand, students, worth
from grader.gradebook.policy.work import Ruling
from grader.model.errors import UsageError


@dataclass(frozen=True)
class Decision:
    """A decision about somebody's work."""

    student: str
    assignment: str
    ruling: Ruling


def decide(book: Book, *decisions: Decision) -> None:
    """Note decisions about students' work, all or none. Nothing is taken back: a later one stands in the place of an earlier.

    Raises:
        UsageError: There is no such assignment or exercise, nobody said who decided or why, nothing was decided,
            or a score is none.
    """
    for each in decisions:
        _check(book, each)
    with book.writing() as writing:
        for each in decisions:
            ruling = each.ruling
            writing.execute(
                "INSERT INTO overrides (student, assignment, exercise, kind, score, comment, author, reason, made) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    each.student,
                    each.assignment,
                    ruling.exercise,
                    ruling.kind,
                    ruling.score,
                    ruling.comment,
                    ruling.author,
                    ruling.reason,
                    ruling.made,
                ),
            )


def _check(book: Book, decision: Decision) -> None:
    ruling = decision.ruling
    _refuse_unknown(book, decision.assignment, ruling.exercise)
    if not ruling.author.strip() or not ruling.reason.strip():
        raise UsageError("a decision has an author and a reason", hint="give --author and --reason")
    # The gradebook forgets no decision: one that cannot be counted would stop every command on it, for ever.
    if ruling.score is not None and not 0 <= ruling.score < math.inf:
        raise UsageError(f"{decision.student}: {ruling.score:g} is no score", hint="a score is a number from 0 on")
    if ruling.kind == "comment" and not ruling.comment.strip():
        raise UsageError("nothing was decided", hint="give --score, --comment or --withdraw")


def _refuse_unknown(book: Book, assignment: str, exercise: str = "") -> None:
    graded = worth(book)
    if assignment not in graded:
        raise UsageError(f"no assignment {assignment!r} was graded", hint=f"there are: {', '.join(graded) or 'none'}")
    parts = [*graded[assignment], *by_hand(book)[assignment]]
    if exercise and exercise not in parts:
        there = ", ".join(parts)
        raise UsageError(f"no exercise {exercise!r} in {assignment}", hint=f"there are: {there}")


def stranger(book: Book, student: str) -> str:
    """Return what to say of a student before a first decision about them who handed in nothing; empty for all others.

    One may decide about them, and a name that was mistyped is like theirs.
    """
    there = students(book)
    if student in there:
        return ""
    close = get_close_matches(student, there, n=1)
    return f"{student!r} handed in nothing{f'; did you mean {close[0]!r}?' if close else ''}"


def release(book: Book, assignment: str, author: str, now: int) -> None:
    """Note that students may see an assignment from now on. It stays released.

    Raises:
        UsageError: There is no such assignment.
    """
    _refuse_unknown(book, assignment)
    with book.writing() as writing:
        writing.execute("INSERT OR IGNORE INTO releases VALUES (?, ?, ?)", (assignment, author, now))


def forget(book: Book, student: str) -> list[Path]:
    """Delete all that is known of a student, so that it cannot be read out of the file either.

    Returns:
        The folders of reports on them, which are not the gradebook's to delete.

    Raises:
        UsageError: Nothing is known of them.
    """
    places = [Path(place) / student for (place,) in book.rows("SELECT place FROM reports WHERE student = ?", student)]
    tables: Sequence[str] = ("submissions", "overrides", "reports")
    with book.writing() as writing:
        deleted = [
            writing.execute(f"DELETE FROM {table} WHERE student = ?", (student,)).rowcount  # noqa: S608 - a name of ours
            for table in tables
        ]
    if not any(deleted):
        raise UsageError(f"nothing is known of {student!r}", hint="`grader gradebook show` lists everybody")
    book.erase()
    return [place for place in places if place.exists()]
