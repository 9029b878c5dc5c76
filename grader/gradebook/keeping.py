"""What a run found out is kept, and nothing of it twice."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Sequence

from grader.gradebook.book import Book
from grader.gradebook.results import Dated, Key, Result, Score


def keep(book: Book, run: int, results: Sequence[Result], dated: Dated, *, anew: bool = False) -> None:
    """Keep results, all or none; when this returns, no loss of power takes them.

    Args:
        book: The gradebook.
        run: The run that they come from.
        results: Those of one submission, one an assignment.
        dated: When it was handed in.
        anew: Whether evidence under a key that has some was asked for.
    """
    bodies = [
        result.evidence and zlib.compress(result.evidence.model_dump_json(by_alias=True).encode()) for result in results
    ]
    with book.writing() as writing:
        for result, body in zip(results, bodies, strict=True):
            submission = _submission(writing, result.key)
            _keep_attempt(writing, submission, dated, run)
            if body and (anew or not _has(writing, result.key)):
                writing.execute(
                    "INSERT INTO evidence (key, ground, submission, body, run) VALUES (?, ?, ?, ?, ?)",
                    (result.key.digest, result.key.ground, submission, body, run),
                )
            if result.score:
                _keep_score(writing, submission, result.score, run)


def keep_attempts(book: Book, run: int, handed_in: Sequence[tuple[Key, Dated]]) -> None:
    """Keep when submissions were handed in of which nothing else is new."""
    seen = {
        (student, assignment, digest): (latest, by)
        for student, assignment, digest, latest, by in book.rows(
            "SELECT student, assignment, digest, max(submitted), dated_by FROM submissions "
            "JOIN attempts ON attempts.submission = submissions.id GROUP BY submissions.id"
        )
    }
    fresh = [
        (key, dated)
        for key, dated in handed_in
        if seen.get((key.student, key.assignment, key.files)) != (dated.submitted, dated.by)
    ]
    if not fresh:
        return
    with book.writing() as writing:
        for key, dated in fresh:
            _keep_attempt(writing, _submission(writing, key), dated, run)


def _submission(writing: sqlite3.Connection, key: Key) -> int:
    values = (key.student, key.assignment, key.files)
    writing.execute("INSERT OR IGNORE INTO submissions (student, assignment, digest) VALUES (?, ?, ?)", values)
    found = writing.execute(
        "SELECT id FROM submissions WHERE student = ? AND assignment = ? AND digest = ?", values
    ).fetchone()
    return int(found[0])


def _has(writing: sqlite3.Connection, key: Key) -> bool:
    return writing.execute("SELECT 1 FROM evidence WHERE key = ?", (key.digest,)).fetchone() is not None


def _keep_attempt(writing: sqlite3.Connection, submission: int, dated: Dated, run: int) -> None:
    """A file's own time changes when it is copied: of the same content, the first stands, and gives way to any that somebody vouches for."""
    if dated.by == "file":
        if _last(writing, submission) == submission:
            return
    else:
        writing.execute("DELETE FROM attempts WHERE submission = ? AND dated_by = 'file'", (submission,))
    writing.execute(
        "INSERT OR IGNORE INTO attempts (submission, source, submitted, dated_by, run) VALUES (?, ?, ?, ?, ?)",
        (submission, dated.source, dated.submitted, dated.by, run),
    )


def _last(writing: sqlite3.Connection, submission: int) -> int | None:
    """What was handed in last of all by whose submission this is, to the same assignment."""
    found = writing.execute(
        "SELECT submission FROM attempts JOIN submissions ON submissions.id = submission WHERE (student, assignment) = "
        "(SELECT student, assignment FROM submissions WHERE id = ?) ORDER BY attempts.id DESC LIMIT 1",
        (submission,),
    ).fetchone()
    return found and int(found[0])


def _keep_score(writing: sqlite3.Connection, submission: int, score: Score, run: int) -> None:
    """A score that is the same as the last says nothing new."""
    values = (score.status, score.score, score.points, json.dumps(score.exercises, sort_keys=True))
    last = writing.execute(
        "SELECT status, score, points, exercises FROM scores WHERE submission = ? ORDER BY id DESC LIMIT 1",
        (submission,),
    ).fetchone()
    if last != values:
        writing.execute(
            "INSERT INTO scores (submission, status, score, points, exercises, run) VALUES (?, ?, ?, ?, ?, ?)",
            (submission, *values, run),
        )
