"""Names that a system gave to files, taken back: the names that the manifest asks for, as far as they can be told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from grader.intake.base import Entry

_NUMBERED = re.compile(r"(?P<stem>.+?) ?(?:-\d{1,3}|\(\d{1,3}\))(?P<suffix>(?:\.[A-Za-z0-9]+)+)", re.DOTALL)


@dataclass(frozen=True)
class Upload:
    """A file as a system names it.

    Args:
        entry: What lies there.
        name: The name that its student gave it, or nearly so.
        order: Sorts the uploads of a student by when they were made.
    """

    entry: Entry
    name: str
    order: tuple[int, ...] = ()


def own_name(name: str, wanted: Collection[str]) -> str:
    """Return the name of a file without the number of a second upload, where that makes it one that is wanted.

    Canvas makes `attention-1.py` of an `attention.py` that is handed in again, and a browser `attention (1).py`.
    """
    bare = {each.rpartition("/")[2] for each in wanted}
    notebooks = {each.removesuffix(".py") + ".ipynb" for each in bare if each.endswith(".py")}
    found = _NUMBERED.fullmatch(name)
    without = found["stem"] + found["suffix"] if found else name
    return without if without in bare | notebooks else name


def latest(uploads: Iterable[Upload], wanted: Collection[str]) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Return the last upload of each name, and the names of those before it.

    Args:
        uploads: The files of one student.
        wanted: Names of the files to take.
    """
    kept: dict[str, Entry] = {}
    earlier: list[str] = []
    for upload in sorted(uploads, key=lambda each: (each.order, len(each.name), each.name)):
        name = own_name(upload.name, wanted)
        if name in kept:
            earlier.append(kept[name].name)
        kept[name] = upload.entry
    return kept, tuple(sorted(earlier))
