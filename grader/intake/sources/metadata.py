"""The part of YAML in which Gradescope writes `submission_metadata.yml`.

It is read a line at a time, by how far each is indented, and what is not asked for is passed over: the file holds all that
every autograder printed, which may be long. Whatever is printed is indented further than the keys that are read.
Source: YAML 1.2.2, chapters 7 and 8; Ruby's Psych, which writes the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

_TOP = re.compile(r"(?P<key>\S.*?):\s*")
_FIELD = re.compile(r"  :(?P<key>\w+):(?: (?P<value>.*))?")
_ITEM = re.compile(r"  - :(?P<key>\w+):(?: (?P<value>.*))?")
_OF_ITEM = re.compile(r"    :(?P<key>\w+):(?: (?P<value>.*))?")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)?")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_LONGEST = 10_000


class NotSuchYamlError(ValueError):
    """A line is not as Gradescope writes it."""


@dataclass
class Record:
    """What is said of one submission.

    Args:
        name: The name of its folder, or of its file.
        submitters: Name, number and address of each of its students, as far as they are told.
        created_at: When it was handed in.
        before: How many attempts there were before.
    """

    name: str
    submitters: list[dict[str, str]] = field(default_factory=list)
    created_at: datetime | None = None
    before: int = 0


def records(text: str) -> list[Record]:
    """Return what the file says of each submission.

    Raises:
        NotSuchYamlError: It is not as Gradescope writes it.
    """
    found: list[Record] = []
    section = ""
    for line in _lines(text):
        if not line.startswith(" "):
            found.append(Record(_key(line)))
            section = ""
        elif not found:
            raise NotSuchYamlError("it begins with a line that belongs to nothing")
        elif field_ := _FIELD.fullmatch(line):
            section = field_["key"]
            if section == "created_at":
                found[-1].created_at = _time(scalar(field_["value"] or ""))
        elif item := _ITEM.fullmatch(line) or _OF_ITEM.fullmatch(line):
            _note(found[-1], section, item, new=line.startswith("  -"))
    return found


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        bare = line.rstrip("\r")
        if len(bare) < _LONGEST and bare.strip() and bare.strip() not in ("---", "...") and not bare.startswith("#"):
            yield bare


def _note(record: Record, section: str, item: re.Match[str], *, new: bool) -> None:
    if section == "history":
        record.before += new
    elif section == "submitters":
        if new:
            record.submitters.append({})
        if record.submitters:
            record.submitters[-1][item["key"]] = scalar(item["value"] or "")


def _key(line: str) -> str:
    if (found := _TOP.fullmatch(line)) is None:
        raise NotSuchYamlError(f"{line[:40]!r} is no name of a submission")
    return scalar(found["key"])


def scalar(text: str) -> str:
    """Return what a plain or quoted value of one line stands for; empty for any other, which no system takes for a name."""
    text = text.strip()
    if text.startswith("'"):
        return text[1:-1].replace("''", "'") if len(text) > 1 and text.endswith("'") else ""
    if text.startswith('"'):
        quoted = _QUOTED.fullmatch(text)
        return _ESCAPE.sub(_unescaped, quoted[1]) if quoted else ""
    return "" if text in ("~", "null") else text


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "xuU" and len(code) > 1:
        return chr(min(int(code[1:], 16), 0x10FFFF))
    return {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "e": "\x1b", "_": "\xa0"}.get(code, code)


def _time(text: str) -> datetime | None:
    found = _TIME.fullmatch(text)
    return datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3] or ''}") if found else None
