"""What every format has in common. A format is a module of `grader.export.formats`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.export.grade import Grade
from grader.export.roster import Roster
from grader.export.words import WORDS, Language, Words
from grader.model.manifest import Exercise


@dataclass(frozen=True)
class Options:
    """What may be asked of a format; each takes what concerns it.

    Args:
        language: Of explanations.
        prefix: Where the student's files lie in their repository.
        exercises: The course's exercises by id, which say where to look; none where there is no course.
        roster: How students are called elsewhere.
        into: The gradebook that is to be filled in.
        column: The column of it that is to be filled in.
    """

    language: Language = "en"
    prefix: str = ""
    exercises: Mapping[str, Exercise] = field(default_factory=dict)
    roster: Roster = field(default_factory=dict)
    into: Path | None = None
    column: str | None = None

    @property
    def words(self) -> Words:
        """Our own words in the language of choice."""
        return WORDS[self.language]


@dataclass(frozen=True)
class Table:
    """A class, exported.

    Args:
        text: What is written.
        lost: What a person has to see to: students whose score stands nowhere in it, and why.
        notes: What a person should know before it is imported.
    """

    text: str
    lost: Sequence[str] = ()
    notes: Sequence[str] = ()


class OfOne(Protocol):
    """A format of one submission. Students see it: nothing of a hidden test but its status is in it."""

    # One line for --help.
    HELP: str
    # What the name of a file ends in, after the student's id.
    SUFFIX: str

    def render(self, grade: Grade, options: Options) -> str:
        """Return the document, whole and harmless where it lands. Where a fault is ours it holds no score at all."""
        ...


class OfClass(Protocol):
    """A format of a class."""

    # One line for --help.
    HELP: str
    # Whether it comes to students' eyes: then what is not released is left out.
    FOR_STUDENTS: bool

    def render(self, grades: Iterable[Grade], options: Options) -> Table:
        """Return the document. Where a fault is ours it holds no score.

        Raises:
            UsageError: Something it needs is missing or does not fit.
        """
        ...
