"""Folders on a disk, opened so that no link is followed and nothing but a regular file is read.

What a name stands for can change between a look and an opening. So every step is taken from an open folder, refuses a
link at the opening itself, and asks the opened file, not its name, what it is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, Self

from grader.intake.base import Entry, Kind, Refused
from grader.intake.names import shown

# Zero where a system lacks one. NONBLOCK: opening a pipe must not wait for a writer. NOCTTY: nor take a terminal.
_FLAGS = os.O_RDONLY | sum(getattr(os, f"O_{n}", 0) for n in ("NOFOLLOW", "NONBLOCK", "NOCTTY", "CLOEXEC", "BINARY"))
_FOLDER_FLAGS = _FLAGS | getattr(os, "O_DIRECTORY", 0)
_REPARSE_POINT = 0x400  # junctions and their like: links by another name


class Folder(Protocol):
    """An open folder."""

    def names(self, limit: int) -> Sequence[Entry]:
        """Return up to `limit` of the names in it, in no order."""
        ...

    def file(self, name: str) -> BinaryIO:
        """Open a regular file in it; raises `Refused` for anything else."""
        ...

    def folder(self, name: str) -> Self:
        """Open a folder in it; raises `Refused` for anything else."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


def kind_of(found: os.stat_result) -> Kind:
    """Return what a name stands for, given what `lstat` says of it."""
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_file_attributes", 0) & _REPARSE_POINT:
        return Kind.LINK
    if stat.S_ISDIR(found.st_mode):
        return Kind.FOLDER
    return Kind.FILE if stat.S_ISREG(found.st_mode) else Kind.SPECIAL


class ByDescriptor:
    """A folder by its descriptor: each name is looked up from there, whatever becomes of the path above."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: Path) -> Self:
        """Open the folder at a path, whose last part must not be a link."""
        return cls(os.open(path, _FOLDER_FLAGS))

    def names(self, limit: int) -> Sequence[Entry]:
        """Return up to `limit` of the names in it, in no order."""
        with os.scandir(self._descriptor) as found:
            return [Entry(e.name, kind_of(e.stat(follow_symlinks=False))) for e in islice(found, limit)]

    def file(self, name: str) -> BinaryIO:
        """Open a regular file in it."""
        # Looked at before it is opened, for merely opening a device can set something off.
        _expect(Kind.FILE, os.stat(name, dir_fd=self._descriptor, follow_symlinks=False), name)
        return _regular(os.open(name, _FLAGS, dir_fd=self._descriptor), name)

    def folder(self, name: str) -> Self:
        """Open a folder in it."""
        _expect(Kind.FOLDER, os.stat(name, dir_fd=self._descriptor, follow_symlinks=False), name)
        return type(self)(os.open(name, _FOLDER_FLAGS, dir_fd=self._descriptor))

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


class ByPath:
    """A folder by its path, where a system knows no better: what was opened is compared with what was looked at."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def at(cls, path: Path) -> Self:
        """Open the folder at a path, whose last part must not be a link."""
        _expect(Kind.FOLDER, path.lstat(), path.name)
        return cls(path)

    def names(self, limit: int) -> Sequence[Entry]:
        """Return up to `limit` of the names in it, in no order."""
        with os.scandir(self._path) as found:
            return [Entry(e.name, kind_of(e.stat(follow_symlinks=False))) for e in islice(found, limit)]

    def file(self, name: str) -> BinaryIO:
        """Open a regular file in it."""
        return file_at(self._path / name)

    def folder(self, name: str) -> Self:
        """Open a folder in it."""
        return self.at(self._path / name)

    def close(self) -> None:
        """Nothing is held."""


def file_at(path: Path) -> BinaryIO:
    """Open the regular file at a path; raises `Refused` for anything else, and for one that is not what was looked at."""
    looked_at = path.lstat()
    _expect(Kind.FILE, looked_at, path.name)
    stream = _regular(os.open(path, _FLAGS), path.name)
    if not os.path.samestat(looked_at, os.fstat(stream.fileno())):
        stream.close()
        raise Refused(shown(path.name), "it changed while it was opened", "hand in again")
    return stream


def _regular(descriptor: int, name: str) -> BinaryIO:
    try:
        _expect(Kind.FILE, os.fstat(descriptor), name)
    except Refused:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _expect(kind: Kind, found: os.stat_result, name: str) -> None:
    if (seen := kind_of(found)) is not kind:
        raise Refused(shown(name), f"it is {seen}, not {kind}", f"hand in {kind} of that name")


OPENER: type[ByDescriptor | ByPath] = (
    ByDescriptor if {os.open, os.stat} <= os.supports_dir_fd and os.scandir in os.supports_fd else ByPath
)


@contextmanager
def opened(folder: Folder) -> Iterator[Folder]:
    """Close a folder after use."""
    try:
        yield folder
    finally:
        folder.close()
