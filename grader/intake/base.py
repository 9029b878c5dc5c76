"""What intake hands on: a submission as bytes, and why something of it could not be taken.

A `Problem` is the student's and never stops a batch; what the caller asked wrongly is a `UsageError`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

MIB = 1024 * 1024


@dataclass(frozen=True)
class Caps:
    """What one submission may cost before a byte of it is understood.

    Args:
        entries: Names in one folder, or members of one archive.
        total_bytes: Bytes read or inflated for the whole submission, nested archives included.
        file_bytes: Bytes of one file that is taken.
        ratio: Inflated over compressed bytes, judged once `RATIO_FLOOR` bytes are inflated.
        depth: Folders and archives that may lie around the files.
        larger: Bytes of files, by their own names, for which another number holds.
        notebook_bytes: Bytes of a notebook, which holds what its cells printed and drew as well.
        table_bytes: Bytes of an archive's table of contents, and of anything else in it that has to be read at once.
    """

    entries: int = 10_000
    total_bytes: int = 64 * MIB
    file_bytes: int = MIB
    ratio: int = 200
    depth: int = 4
    larger: Mapping[str, int] = field(default_factory=dict)
    notebook_bytes: int = 16 * MIB
    table_bytes: int = 2 * MIB

    def of(self, name: str) -> int:
        """Return the bytes that a file may have, by its own name without folders."""
        return self.larger.get(name, self.notebook_bytes if name.casefold().endswith(".ipynb") else self.file_bytes)


CAPS = Caps()


def caps_for(taken: Mapping[str, int | None]) -> Caps:
    """Return what a submission may cost of which some files are taken, each with the most bytes that it may have; None where the usual holds."""
    return replace(CAPS, larger={name.rpartition("/")[2]: most for name, most in taken.items() if most is not None})


@dataclass(frozen=True)
class Problem:
    """Why the submission, or one file of it, could not be taken.

    Args:
        file: The file concerned, relative to the submission, fit to be shown.
        message: What is wrong with it, in one sentence.
        hint: What to do about it: the student, or whoever grades where it is `ours`.
        ours: Whether the submission is not at fault, so that what is missing for it costs no points.
        missing: Whether there is no such file at all.
    """

    file: str
    message: str
    hint: str
    ours: bool = False
    missing: bool = False


class Refused(Exception):  # noqa: N818 -- the submission was refused; nothing of ours went wrong
    """A problem on its way to the report."""

    def __init__(self, file: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.problem = Problem(file, message, hint)


class Kind(StrEnum):
    """What a name stands for, in words that fit after "is"."""

    FILE = "a file"
    FOLDER = "a folder"
    LINK = "a link"
    SPECIAL = "a device, a pipe or a socket"
    TWICE = "there more than once"


class Entry(NamedTuple):
    """One name in a folder."""

    name: str
    kind: Kind


class Level(Protocol):
    """One folder of a submission, on a disk or inside an archive.

    All methods raise `Refused` for what the student handed in and `OSError` for what the disk says.
    """

    @property
    def problems(self) -> Sequence[Problem]:
        """The names that were refused on the way to this level."""
        ...

    def entries(self) -> Sequence[Entry]:
        """Return what lies here, sorted by name."""
        ...

    def read(self, name: str, called: str = "") -> bytes:
        """Return the content of a file, read once and within the caps of its name, or of what it is `called` elsewhere."""
        ...

    def archive(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open a file that is an archive, as a stream that can seek."""
        ...

    def enter(self, name: str) -> AbstractContextManager[Level]:
        """Open a folder."""
        ...


@dataclass(frozen=True)
class Taken:
    """What a source took from one path."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class Form(Protocol):
    """One form in which a submission is handed in. A form is a module."""

    def handles(self, path: Path) -> bool:
        """Whether a path has this form, judged without following a link or opening anything."""
        ...

    def name(self, path: Path) -> str:
        """Return what the submission is called after."""
        ...

    def read(self, path: Path, wanted: Collection[str], caps: Caps) -> Taken:
        """Take the wanted files. Whatever is wrong with them becomes a `Problem`."""
        ...


# What is said of one student: the values that a column of a roster may have for them, by the name of the column.
Said = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Origin:
    """What is known of a submission from where it comes from.

    Args:
        source: The source, by its name in the registry.
        called: What the submission is called there.
        who: What is said of each of its students.
        submitted: When it was handed in, where that is told; a time without a zone is in the course's.
        late: Whether it is marked as late.
        attempt: Which attempt it is, in words; empty where nothing tells.
        earlier: What of earlier attempts lies there, fit to be shown.
        partners: The ids of the others whose work it is too.
        matched: Whether its student is on the roster; None where there is no roster.
        shared: Whether its path is that of a whole download, whose own time says nothing of it.
    """

    source: str
    called: str
    who: tuple[Said, ...] = ()
    submitted: datetime | None = None
    late: bool = False
    attempt: str = ""
    earlier: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    matched: bool | None = None
    shared: bool = False


@dataclass(frozen=True)
class Submission:
    """One student's work, copied: from here on nobody looks at the path again.

    Args:
        id: The student's id, fit for a folder name on any platform (`names.safe_id`).
        source: Where it came from, under its original name.
        files: Content of the files taken, by the names the manifest gives them.
        digest: SHA-256 over the files taken, in hexadecimal.
        ignored: What else lay there, fit to be shown.
        problems: Why something is missing from `files`, and what else its student should know of how it was read.
        origin: What is known of it from where it comes from.
    """

    id: str
    source: Path
    files: Mapping[str, bytes]
    digest: str
    ignored: tuple[str, ...]
    problems: tuple[Problem, ...]
    origin: Origin | None = None

    @property
    def place(self) -> str:
        """The name of the folder or archive that it is, or of the download that holds it and its own name there."""
        within = f": {self.origin.called}" if self.origin and self.origin.shared else ""
        return f"{self.source.name}{within}"


def digest(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 over name, length and content of each file, in the order of their names."""
    total = sha256()
    for name in sorted(files):
        encoded = name.encode()
        # Both lengths go in, so that no two sets of files run into the same bytes.
        total.update(len(encoded).to_bytes(8, "big") + encoded + len(files[name]).to_bytes(8, "big") + files[name])
    return total.hexdigest()
