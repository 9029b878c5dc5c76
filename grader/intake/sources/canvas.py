"""Canvas: the zip of "Download Submissions", every file of every student in one folder.

A file is called `lovelaceada_LATE_123_4567_attention-1.py`: the sortable name as letters alone, the mark of a late one,
the user's number, the file's, and the name that it was uploaded under, numbered where it was handed in again. What was
typed in or linked to ends in `_123_text.html` or `_123_link.html`; marked anonymously, all begin with `anon_`.
Source: Canvas LMS, lib/content_zipper.rb.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from grader.intake.base import Entry, Said
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.place import Place
from grader.intake.sources.renamed import Upload, latest

_FILE = re.compile(
    r"(?:(?P<late_unnamed>LATE_)?anon_(?P<anonymous>[^\W_]+)|(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+))"
    r"_(?:(?P<file>\d+)_(?P<own>.+)|(?:text|link)\.html)",
    re.DOTALL,
)
# Other systems' names may hold two numbers too.
_OTHERS = re.compile(r"_assignsubmission_|_attempt_\d{4}-")


class _Owner(NamedTuple):
    name: str
    number: str


def recognises(place: Place) -> str | None:
    """Return what shows that a download is from Canvas."""
    names = [entry.name for entry in place.files]
    fit = [name for name in names if _FILE.fullmatch(name) and not _OTHERS.search(name)]
    if not fit or 2 * len(fit) < len(names) + len(place.folders):
        return None
    return f"the names of its files, such as {fit[0]}"


def contents(place: Place, asked: Asked) -> Contents:
    """Return the files by their students."""
    uploads: dict[_Owner, list[Upload]] = defaultdict(list)
    typed: dict[_Owner, list[str]] = defaultdict(list)
    late: set[_Owner] = set()
    left = [f"{entry.name}/" for entry in place.folders]
    for entry in place.files:
        if (found := _FILE.fullmatch(entry.name)) is None:
            left.append(entry.name)
            continue
        owner = _Owner(found["name"] or "", found["user"] or found["anonymous"])
        if found["late"] or found["late_unnamed"]:
            late.add(owner)
        if found["own"] is None:
            typed[owner].append(entry.name)
        else:
            uploads[owner].append(Upload(entry, found["own"], (int(found["file"]),)))
    handed = [
        _handed(owner, uploads[owner], typed[owner], asked, late=owner in late) for owner in sorted({*uploads, *typed})
    ]
    return Contents(handed, tuple(left))


def _handed(owner: _Owner, uploads: list[Upload], typed: list[str], asked: Asked, *, late: bool) -> Handed:
    files, earlier = latest(uploads, asked.wanted)
    said: Said = {"canvas_id": (owner.number,), "name": (owner.name,), "group": (owner.name,)}
    return Handed(
        called=f"{owner.name or 'anon'}_{owner.number}",
        parts=(Part(files=dict[str, Entry](files)),),
        who=(said,) if owner.name else (),
        late=late,
        earlier=earlier,
        beside=tuple(typed),
    )
