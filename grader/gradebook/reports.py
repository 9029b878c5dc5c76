"""Which reports lie where, and what they were written from: what is the same is neither read nor written again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.gradebook.book import Book

Stamps = Mapping[str, list[int]]


@dataclass(frozen=True)
class Written:
    """Reports that were written.

    Args:
        identity: A digest over all that they were written from.
        files: Of each file, by its place below the folder of reports, how large it is and when it was changed.
        line: What the class's summary holds of it.
    """

    identity: str
    files: Stamps
    line: str


def written(book: Book, place: Path) -> dict[str, Written]:
    """Return what was written to a folder of reports, by the ids of the submissions."""
    found = book.rows("SELECT student, identity, files, line FROM reports WHERE place = ?", str(place.resolve()))
    return {student: Written(identity, json.loads(files), line) for student, identity, files, line in found}


def note_written(book: Book, place: Path, student: str, what: Written) -> None:
    """Note what was written."""
    with book.writing() as writing:
        writing.execute(
            "INSERT OR REPLACE INTO reports (place, student, identity, files, line) VALUES (?, ?, ?, ?, ?)",
            (str(place.resolve()), student, what.identity, json.dumps(what.files), what.line),
        )


def stamps(place: Path, names: list[str]) -> Stamps:
    """Return how large files are and when they were changed; a missing one has none."""
    return {name: stamp for name in names if (stamp := _stamp(f"{place}/{name}"))}


def is_there(place: Path, what: Written) -> bool:
    """Whether reports lie as they were written."""
    return all(_stamp(f"{place}/{name}") == stamp for name, stamp in what.files.items())


def _stamp(path: str) -> list[int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - a path for each file of a class is slow
    except OSError:
        return []
    return [found.st_size, found.st_mtime_ns]
