"""Runs of `grader grade`: which there were, and what each of them was asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from grader.gradebook.book import Book


def begin(book: Book, grader: str, asked: Mapping[str, object], grounds: Mapping[str, Mapping[str, object]]) -> int:
    """Note that a run begins, with what all of its results are decided by; return its number."""
    with book.writing() as writing:
        writing.executemany(
            "INSERT OR IGNORE INTO grounds (digest, parts) VALUES (?, ?)",
            [(digest, json.dumps(parts, sort_keys=True)) for digest, parts in grounds.items()],
        )
        made = writing.execute(
            "INSERT INTO runs (started, grader, asked) VALUES (?, ?, ?)", (_now(), grader, json.dumps(asked))
        )
        return int(made.lastrowid or 0)


def end(book: Book, run: int) -> None:
    """Note that a run came to its end. One that was killed has none."""
    with book.writing() as writing:
        writing.execute("UPDATE runs SET ended = ? WHERE id = ?", (_now(), run))


def note_facts(book: Book, facts: Mapping[str, object]) -> None:
    """Note what is known of the course; what is already noted is replaced."""
    values = [(name, json.dumps(value, ensure_ascii=False, sort_keys=True)) for name, value in facts.items()]
    if set(values) <= set(book.rows("SELECT name, value FROM facts")):
        return
    with book.writing() as writing:
        writing.executemany("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", values)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
