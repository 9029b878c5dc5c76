"""A download, open: a folder on a disk, or a zip that is read in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from grader.intake import formats
from grader.intake.base import MIB, Caps, Entry, Kind, Level
from grader.intake.budget import Budget
from grader.intake.folder import FolderLevel
from grader.intake.names import archive_suffix, is_clutter
from grader.intake.nofollow import OPENER, file_at, kind_of
from grader.intake.nofollow import opened as closing

# Of the download of a whole class, which may hold some files of each of thousands.
_ENTRIES, _TABLE, _DEPTH = 500_000, 128 * MIB, 8
_METADATA = 64 * MIB


def named(entry: Entry) -> str:
    """Return what is told of something that lies in a folder: its name, with a slash after a folder's."""
    return f"{entry.name}/" if entry.kind is Kind.FOLDER else entry.name


class Place:
    """A folder of a download.

    Args:
        path: The download, as the caller knows it.
        level: The folder.
        budget: What one submission of it may cost.
        way: The folders that lead to it, from the top of the download.
        disk: The folder itself, where it is one on a disk.
    """

    def __init__(
        self, path: Path, level: Level, budget: Budget, way: tuple[str, ...] = (), disk: Path | None = None
    ) -> None:
        self.path, self.level, self.budget, self.way, self.disk = path, level, budget, way, disk

    @property
    def name(self) -> str:
        """What the folder is called, or the archive without its suffix."""
        name = self.way[-1] if self.way else self.path.name
        return name if self.disk else name.removesuffix(archive_suffix(name))

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """What lies here, sorted by name, without what systems and tools leave behind."""
        return [entry for entry in self.level.entries() if not is_clutter(entry.name)]

    @property
    def files(self) -> Sequence[Entry]:
        """All that lies here and is no folder."""
        return [entry for entry in self.entries if entry.kind is not Kind.FOLDER]

    @property
    def folders(self) -> Sequence[Entry]:
        """The folders that lie here."""
        return [entry for entry in self.entries if entry.kind is Kind.FOLDER]

    def has(self, name: str, kind: Kind = Kind.FILE) -> bool:
        """Whether something of a name lies here."""
        return Entry(name, kind) in self.level.entries() if is_clutter(name) else Entry(name, kind) in self.entries

    @contextmanager
    def below(self, name: str) -> Iterator[Place]:
        """Open a folder that lies here."""
        disk = self.disk / name if self.disk else None
        with self.level.enter(name) as level:
            yield Place(self.path, level, self.budget, (*self.way, name), disk)

    def text(self, name: str) -> str:
        """Return what a file says that the system wrote.

        Raises:
            Refused: It is too large or no file.
            OSError: It cannot be read.
        """
        self.budget.renew()
        text = self.level.read(name, called=_SYSTEM_FILE).decode("utf-8-sig", errors="replace")
        self.budget.renew()
        return text


_SYSTEM_FILE = "what the system wrote"


@contextmanager
def opened(path: Path, caps: Caps) -> Iterator[Place | None]:
    """Open a download; None where it is neither a folder nor a zip.

    Raises:
        Refused: It is broken, or larger than that of any class.
        OSError: It cannot be read, in the disk's words.
    """
    real = path.resolve(strict=True)
    larger = {**caps.larger, _SYSTEM_FILE: _METADATA}
    budget = Budget(replace(caps, entries=_ENTRIES, table_bytes=_TABLE, depth=_DEPTH, larger=larger))
    kind = kind_of(real.lstat())
    with ExitStack() as stack:
        if kind is Kind.FOLDER:
            folder = stack.enter_context(closing(OPENER.at(real)))
            yield Place(path, FolderLevel(folder, path.name, budget), budget, disk=real)
        elif kind is Kind.FILE and archive_suffix(path.name) == ".zip":
            stream = stack.enter_context(file_at(real))
            yield Place(path, stack.enter_context(formats.opened(path.name, stream, (), budget)), budget)
        else:
            yield None
