"""Moodle: the zip of "Download all submissions", with a folder for each student or with all files in one.

`Ada Lovelace_123_assignsubmission_file_` is a folder, or the beginning of a file's name; the number is the participant's in
this assignment, as in the grading worksheet. `onlinetext` in the place of `file` is what was typed in. Of a group, its name
and a dash stand before.
Source: Moodle, mod/assign/locallib.php, and the documentation of its assignment activity.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from grader.intake.base import Entry, Kind, Said
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.place import Place, named
from grader.intake.sources.renamed import Upload, latest

_NAME = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<own>.*))?", re.DOTALL)
_FILES = "file"


class _Owner(NamedTuple):
    name: str
    number: str


def recognises(place: Place) -> str | None:
    """Return what shows that a download is from Moodle."""
    fit = [entry.name for entry in place.entries if _NAME.fullmatch(entry.name)]
    return f"`_assignsubmission_` in its names, such as {fit[0]}" if 2 * len(fit) > len(place.entries) else None


def contents(place: Place, asked: Asked) -> Contents:
    """Return folders and files by their students."""
    owned: dict[_Owner, list[tuple[Entry, re.Match[str]]]] = defaultdict(list)
    left: list[str] = []
    for entry in place.entries:
        if found := _NAME.fullmatch(entry.name):
            owned[_Owner(found["name"], found["number"])].append((entry, found))
        else:
            left.append(named(entry))
    return Contents([_handed(owner, owned[owner], asked) for owner in sorted(owned)], tuple(left))


def _handed(owner: _Owner, entries: list[tuple[Entry, re.Match[str]]], asked: Asked) -> Handed:
    work = [(entry, found) for entry, found in entries if found["kind"] == _FILES]
    typed = [named(entry) for entry, found in entries if found["kind"] != _FILES]
    flat = [Upload(entry, found["own"] or entry.name) for entry, found in work if entry.kind is not Kind.FOLDER]
    files, earlier = latest(flat, asked.wanted)
    folders = [Part((entry.name,)) for entry, _ in work if entry.kind is Kind.FOLDER]
    return Handed(
        called=f"{owner.name}_{owner.number}",
        parts=(*folders, *([Part(files=files)] if files or not folders else [])),
        who=(_said(owner),),
        earlier=earlier,
        beside=tuple(typed),
    )


def _said(owner: _Owner) -> Said:
    numbers = (owner.number, f"Participant {owner.number}")
    # Where marking is blind, all are called Participant, in the language of whoever downloads.
    return {"moodle_id": numbers, "name": tuple(_after_dashes(owner.name)), "group": tuple(_before_dashes(owner.name))}


def _after_dashes(name: str) -> Iterator[str]:
    """Yield a name, and what of it is a person's where a group's stands before it."""
    yield name
    yield from (name[at + 1 :] for at, char in enumerate(name) if char == "-")


def _before_dashes(name: str) -> Iterator[str]:
    yield name
    yield from (name[:at] for at, char in enumerate(name) if char == "-")
