"""Student ids that are fit to be folder names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import unquote

from grader.escape.characters import is_harmless

_DEVICES = re.compile(r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(\.|$)", re.IGNORECASE)
# The files that lie beside the students' folders, and whatever else will be called like them.
_OURS = re.compile(r"(summary|gradebook|policy|index)\.", re.IGNORECASE)
_LONGEST = 150  # bytes: half of what a file system gives, for others add to a name


def safe_id(name: str) -> str:
    """Return a name that is a plain folder name on every platform; no two names give the same.

    Letters and digits of any script, `-`, `_`, `.` and inner spaces stay. Everything else becomes `%XX`, byte by byte
    of its UTF-8, as do a leading dot, dash or space, a trailing dot or space, and the first letter of a name that
    Windows keeps for a device or that a file of ours beside it could have. What grows too long is cut and ends in its SHA-256.
    """
    if not name:
        return "%"
    last = len(name) - 1
    marks = [_needs_escape(c, first=i == 0, last=i == last) for i, c in enumerate(name)]
    marks[0] |= (_DEVICES.match(name) or _OURS.match(name)) is not None
    escaped = [_percent(c) if mark else c for c, mark in zip(name, marks, strict=True)]
    whole = "".join(escaped)
    return whole if len(whole.encode()) <= _LONGEST else _cut(escaped, name)


def student_id(name: str) -> str:
    """Return the id under which a submission is graded: of the name that it is handed in with, or of the id as a report tells it."""
    is_id = "%~" in name or ("%" in name and safe_id(unquote(name, errors="surrogatepass")) == name)
    return name if is_id else safe_id(name)


def _needs_escape(char: str, *, first: bool, last: bool) -> bool:
    if char in ".-_ ":
        return (first and char in ".- ") or (last and char in ". ")
    if char.isascii():
        return not char.isalnum()
    # Marks are letters' vowels in many scripts; one that stands first would cling to whatever comes before it.
    category = unicodedata.category(char)[0]
    return category not in "LMN" or (first and category == "M") or not is_harmless(char)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _cut(escaped: Iterable[str], name: str) -> str:
    # No escape starts with `%~`, so no short name comes out like a cut one.
    end = "%~" + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    kept = ""
    for part in escaped:
        if len((kept + part + end).encode()) > _LONGEST:
            break
        kept += part
    return kept + end
