"""Blackboard: the zip of "Assignment File Download", every file of every attempt in one folder.

A file is called `Homework 1_adal_attempt_2026-02-03-10-11-12_attention.py`: the assignment, the user name, when the attempt
was made by the server's clock, and the name that it was uploaded under. The receipt of an attempt has no such name, and
tells the student's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from grader.intake.base import Entry, Kind, Refused
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.place import Place
from grader.intake.sources.receipt import Receipt, receipt
from grader.intake.sources.renamed import Upload, latest

_FILE = re.compile(r"(?P<title>.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:\.txt|_(?P<own>.+))", re.DOTALL)


@dataclass
class _Attempt:
    title: str
    time: str
    receipt: Entry | None = None
    files: dict[str, Entry] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All that it left in the download."""
        return tuple(
            sorted([*(entry.name for entry in self.files.values()), *([self.receipt.name] if self.receipt else [])])
        )


def recognises(place: Place) -> str | None:
    """Return what shows that a download is from Blackboard."""
    fit = [entry.name for entry in place.files if _FILE.fullmatch(entry.name)]
    return f"`_attempt_` in its names, such as {fit[0]}" if 2 * len(fit) > len(place.entries) else None


def contents(place: Place, asked: Asked) -> Contents:
    """Return the last attempt of each student."""
    by_title: dict[str, dict[str, _Attempt]] = defaultdict(dict)
    left: list[str] = [f"{entry.name}/" for entry in place.folders]
    for entry in place.files:
        if (found := _FILE.fullmatch(entry.name)) is None:
            left.append(entry.name)
            continue
        attempt = by_title[found["title"]].setdefault(found["time"], _Attempt(found["title"], found["time"]))
        if found["own"] is None:
            attempt.receipt = entry
        else:
            attempt.files[found["own"]] = entry
    return Contents([_handed(place, by_title[title], asked) for title in sorted(by_title)], tuple(left))


def _handed(place: Place, attempts: Mapping[str, _Attempt], asked: Asked) -> Handed:
    *before, last = (attempts[time] for time in sorted(attempts))
    told = _told(place, last)
    uploads = [Upload(entry, told.files.get(entry.name, own)) for own, entry in last.files.items()]
    files, numbered = latest(uploads, asked.wanted)
    # Both the assignment's title and the user name may hold the dash that stands between them: the receipt decides.
    known = told.login and last.title.endswith(f"_{told.login}")
    return Handed(
        called=told.login if known else last.title,
        parts=(Part(files=files),),
        who=({"login": (told.login,), "name": (told.name,)},) if known else (),
        submitted=_time(last.time),
        attempt=f"the last of {len(attempts)}" if before else "",
        earlier=(*(name for attempt in before for name in attempt.names), *numbered),
        beside=(last.receipt.name,) if last.receipt else (),
    )


def _told(place: Place, attempt: _Attempt) -> Receipt:
    if attempt.receipt and attempt.receipt.kind is Kind.FILE:
        # A receipt that cannot be read is one that tells nothing: its attempt is a submission of nobody known.
        with suppress(Refused, OSError):
            return receipt(place.text(attempt.receipt.name))
    return Receipt()


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")  # noqa: DTZ007 - by a clock whose zone is not told
    except ValueError:
        return None
