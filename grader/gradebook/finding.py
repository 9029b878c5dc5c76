"""What is known is found again under its key."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping

from grader.gradebook.book import Book
from grader.gradebook.results import Key
from grader.model.evidence import Evidence


def known(book: Book, key: str) -> Evidence | None:
    """Return the evidence under a key, the latest of what was judged more than once."""
    found = book.rows("SELECT body FROM evidence WHERE key = ? ORDER BY id DESC LIMIT 1", key)
    return Evidence.model_validate_json(zlib.decompress(found[0][0])) if found else None


def ground_before(book: Book, key: Key) -> tuple[Mapping[str, object], str] | None:
    """Return what a student's last evidence on an assignment was found with, and the digest of the files; None where there is none."""
    found = book.rows(
        "SELECT grounds.parts, submissions.digest FROM evidence JOIN grounds ON grounds.digest = evidence.ground "
        "JOIN submissions ON submissions.id = evidence.submission "
        "WHERE submissions.student = ? AND submissions.assignment = ? ORDER BY evidence.id DESC LIMIT 1",
        key.student,
        key.assignment,
    )
    return (json.loads(found[0][0]), found[0][1]) if found else None
