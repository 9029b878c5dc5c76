"""What a gradebook knows of a class, as it is now or as it was after some run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.gradebook.book import Book
from grader.gradebook.policy.final import Known
from grader.gradebook.policy.work import Attempt, Ruling

_ALL = 2**62


@dataclass(frozen=True)
class Standing:
    """An attempt and what it was scored, with the status of each exercise."""

    assignment: str
    digest: str
    attempt: Attempt
    status: str
    exercises: Mapping[str, Mapping[str, str | float]]


def standings(book: Book, until: int | None = None) -> list[Standing]:
    """Return every attempt with its last score, in the order of time.

    Args:
        book: The gradebook.
        until: The run after which it is looked at; None for now.
    """
    last = _ALL if until is None else until
    rows = book.rows(
        "SELECT student, assignment, digest, submitted, dated_by, status, score, points, exercises FROM attempts "
        "JOIN submissions ON submissions.id = attempts.submission "
        "JOIN scores ON scores.id = "
        "(SELECT max(id) FROM scores WHERE submission = submissions.id AND run <= ?) "
        "WHERE attempts.run <= ? ORDER BY submitted, attempts.id",
        last,
        last,
    )
    return [_standing(*row) for row in rows]


def _standing(  # noqa: PLR0913, PLR0917 - a row of the table
    student: str,
    assignment: str,
    digest: str,
    submitted: int,
    dated_by: str,
    status: str,
    score: float,
    points: float,
    exercises: str,
) -> Standing:
    each = json.loads(exercises)
    scores = {name: float(found["score"]) for name, found in each.items()}
    return Standing(assignment, digest, Attempt(student, submitted, score, points, scores, dated_by), status, each)


def known_of(book: Book) -> Known:
    """Return all that is known of the class, in the points that hold now."""
    facts = worth(book)
    attempts: dict[tuple[str, str], list[Attempt]] = {}
    for standing in standings(book):
        if standing.assignment in facts:
            attempt = in_points_of_now(standing, facts[standing.assignment])
            attempts.setdefault((attempt.student, standing.assignment), []).append(attempt)
    return Known(
        {name: float(sum(points.values())) for name, points in facts.items()}, attempts, rulings(book), by_hand(book)
    )


def in_points_of_now(standing: Standing, points: Mapping[str, float]) -> Attempt:
    """Return an attempt in the points that hold now: what was handed in before they changed may not be there to be scored anew.

    Of each exercise it earned a part, and earns that part of what the exercise is worth now.
    """
    before = {name: found["points"] for name, found in standing.exercises.items()}
    if before == points:
        return standing.attempt
    scores = {name: _part(standing.exercises.get(name), worth) for name, worth in points.items()}
    total = round(sum(scores.values()), 2)
    return replace(standing.attempt, score=total, points=float(sum(points.values())), exercises=scores)


def _part(found: Mapping[str, str | float] | None, worth: float) -> float:
    if found is None:
        return 0.0
    part = Fraction(str(found["score"])) / Fraction(str(found["points"]))
    return round(float(part * Fraction(str(worth))), 2)


def worth(book: Book) -> dict[str, dict[str, float]]:
    """Return what each exercise of each assignment is worth, as it was last graded."""
    rows = book.rows("SELECT name, value FROM facts WHERE name LIKE 'assignment %' ORDER BY name")
    return {
        name.partition(" ")[2]: {each: found["points"] for each, found in json.loads(value)["exercises"].items()}
        for name, value in rows
    }


def by_hand(book: Book) -> dict[str, dict[str, float]]:
    """Return what the answers in words of each assignment are worth, as it was last graded."""
    rows = book.rows("SELECT name, value FROM facts WHERE name LIKE 'assignment %' ORDER BY name")
    return {name.partition(" ")[2]: json.loads(value).get("by_hand", {}) for name, value in rows}


def rulings(book: Book) -> dict[tuple[str, str], list[Ruling]]:
    """Return what persons decided, by student and assignment, in the order in which they did."""
    rows = book.rows(
        "SELECT student, assignment, exercise, kind, score, comment, author, reason, made FROM overrides ORDER BY id"
    )
    found: dict[tuple[str, str], list[Ruling]] = {}
    for student, assignment, *decided in rows:
        found.setdefault((student, assignment), []).append(Ruling(*decided))
    return found


def students(book: Book, groups: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return everybody who handed something in, or is in a group of somebody who did, or about whose work something was decided."""
    there = {row[0] for row in book.rows("SELECT student FROM submissions UNION SELECT student FROM overrides")}
    return sorted(there | {member for group in groups if there & {*group} for member in group})


def releases(book: Book) -> dict[str, int]:
    """Return which assignments were released by hand, and when."""
    return dict(_pairs(book))


def _pairs(book: Book) -> Iterator[tuple[str, int]]:
    for assignment, made in book.rows("SELECT assignment, made FROM releases"):
        yield str(assignment), int(made)
