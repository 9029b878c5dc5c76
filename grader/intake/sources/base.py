"""What a source tells of a download: who handed in what, and what there is nobody's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from grader.intake.base import CAPS, Caps, Entry, Said
from grader.intake.discover import Mode
from grader.intake.sources.place import Place

AUTO = "auto"


@dataclass(frozen=True)
class Asked:
    """What is to be graded.

    Args:
        wanted: Names of the files to take, those of the manifests.
        assignments: The ids of the assignments.
        caps: What one submission may cost.
        source: Where the submissions are from: `auto`, a system, or `folder` for what is of none.
        mode: How what is of no system is read; with `one` or `class` nothing is taken for a system's unless it is named.
    """

    wanted: Collection[str]
    assignments: Collection[str] = ()
    caps: Caps = CAPS
    source: str = AUTO
    mode: Mode = "auto"


@dataclass(frozen=True)
class Part:
    """Where some files of a submission lie.

    Args:
        way: The folders that lead to them.
        files: Where only some files of that folder are the submission's: each under the name that its student gave it.
    """

    way: tuple[str, ...] = ()
    files: Mapping[str, Entry] | None = None


@dataclass(frozen=True)
class Handed:
    """One submission of a download, not yet read.

    Args:
        called: What tells it from the others there.
        parts: Where its files lie.
        who: What is said of each of its students.
        submitted: When it was handed in, where that is told.
        late: Whether it is marked as late.
        attempt: Which attempt it is, in words.
        earlier: Names of what earlier attempts left there.
        beside: Names of what belongs to it and is no work: a receipt, a text that was typed in.
    """

    called: str
    parts: tuple[Part, ...]
    who: tuple[Said, ...] = ()
    submitted: datetime | None = None
    late: bool = False
    attempt: str = ""
    earlier: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contents:
    """All that a download holds.

    Args:
        handed: The submissions.
        left: The names of what is no submission's.
        metadata: The names of what the system itself wrote.
    """

    handed: Sequence[Handed]
    left: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()


class Source(Protocol):
    """One system from which submissions are downloaded. A source is a module."""

    def recognises(self, place: Place) -> str | None:
        """Return what shows that a download is of this system, in words that fit after "for"; None where nothing does."""
        ...

    def contents(self, place: Place, asked: Asked) -> Contents:
        """Return all that a download holds.

        Raises:
            UsageError: What the system wrote there cannot be understood, or does not decide what is meant.
        """
        ...
