"""Reports of two runs, byte for byte, timings aside."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

from grader.gradebook.book import Book


def without_timings(text: str) -> str:
    """A report as it was written, keys in their order, without what may differ between two runs."""
    content = json.loads(text)
    content.pop("timings", None)
    return json.dumps(content, ensure_ascii=False)


def reports(out: Path) -> dict[str, str]:
    """Every file below a folder of reports, by its path; those with timings without them."""
    return {
        path.relative_to(out).as_posix(): without_timings(text) if path.suffix == ".json" else text
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith("gradebook.db") and (text := path.read_text("utf-8")) is not None
    }


def differences(undisturbed: dict[str, str], disturbed: dict[str, str]) -> list[str]:
    """In words, where two runs differ: a file missing, a file too many, or what first differs in one."""
    found = [f"{name} is missing" for name in undisturbed.keys() - disturbed.keys()]
    found += [f"{name} is too many" for name in disturbed.keys() - undisturbed.keys()]
    for name in sorted(undisturbed.keys() & disturbed.keys()):
        before, after = undisturbed[name], disturbed[name]
        if before != after:
            pairs = zip(before, after, strict=False)
            at = next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
            shown = slice(max(0, at - 60), at + 120)
            found.append(f"{name} differs: {before[shown]!r} became {after[shown]!r}")
    return found


def gradebook(path: Path) -> dict[str, list[object]]:
    """What a gradebook holds, table by table, in an order of its own, without timings and the numbers of runs."""
    with Book(path, must_exist=True) as book:
        found: dict[str, list[object]] = {name: sorted(book.rows(query)) for name, query in _TABLES.items()}
        bodies = sorted(book.rows("SELECT key, body FROM evidence"))
    found["evidence"] = [(key, without_timings(zlib.decompress(body).decode())) for key, body in bodies]
    return found


_TABLES = {
    "facts": "SELECT name, value FROM facts",
    "submissions": "SELECT student, assignment, digest FROM submissions",
    "attempts": "SELECT student, assignment, digest, source, submitted, dated_by "
    "FROM attempts JOIN submissions ON submissions.id = submission",
    "scores": "SELECT student, assignment, digest, status, score, points, exercises "
    "FROM scores JOIN submissions ON submissions.id = submission",
}
