"""The receipt that Blackboard puts beside the files of an attempt: whose it is, and what the files were called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_NAME = re.compile(r"Name: (?P<name>.*) \((?P<login>[^()]+)\)\s*")
_FILE = re.compile(r"^\s*Original filename: (?P<own>.+?)\s*\n\s*Filename: (?P<there>.+?)\s*$", re.MULTILINE)
_SECTION = "\nFiles:"


@dataclass(frozen=True)
class Receipt:
    """What a receipt says.

    Args:
        name: The student's name.
        login: The student's user name.
        files: What each file was called, by the name that it has in the download.
    """

    name: str = ""
    login: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def receipt(text: str) -> Receipt:
    """Return what a receipt says. Student's own words stand between its first line and its last section, and are not read."""
    text = text.replace("\r\n", "\n")
    first = _NAME.fullmatch(text.partition("\n")[0])
    section = text.rpartition(_SECTION)[2] if _SECTION in text else ""
    files = {found["there"]: found["own"] for found in _FILE.finditer(section)}
    return Receipt(first["name"], first["login"], files) if first else Receipt(files=files)
