"""What persons decide and have forgotten: overrides, comments, releases, the data of a student."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.gradebook.book import Book
from grader.gradebook.history import worth
from grader.gradebook.policy.work import Ruling
from grader.model.errors import UsageError


def decide(book: Book, student: str, assignment: str, ruling: Ruling) -> None:
    """Note a decision about a student's work. Nothing is taken back: a later one stands in the place of an earlier.

    Raises:
        UsageError: There is no such assignment or exercise, nobody said who decided or why, or nothing was decided.
    """
    _refuse_unknown(book, assignment, ruling.exercise)
    if not ruling.author.strip() or not ruling.reason.strip():
        raise UsageError("a decision has an author and a reason", hint="give --author and --reason")
    if ruling.kind == "comment" and not ruling.comment.strip():
        raise UsageError("nothing was decided", hint="give --score, --comment or --withdraw")
    with book.writing() as writing:
        writing.execute(
            "INSERT INTO overrides (student, assignment, exercise, kind, score, comment, author, reason, made) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                student,
                assignment,
                ruling.exercise,
                ruling.kind,
                ruling.score,
                ruling.comment,
                ruling.author,
                ruling.reason,
                ruling.made,
            ),
        )


def _refuse_unknown(book: Book, assignment: str, exercise: str = "") -> None:
    graded = worth(book)
    if assignment not in graded:
        raise UsageError(f"no assignment {assignment!r} was graded", hint=f"there are: {', '.join(graded) or 'none'}")
    if exercise and exercise not in graded[assignment]:
        there = ", ".join(graded[assignment])
        raise UsageError(f"no exercise {exercise!r} in {assignment}", hint=f"there are: {there}")


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
