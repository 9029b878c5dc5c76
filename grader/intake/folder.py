"""A folder as a submission."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

from grader.intake.base import Caps, Entry, Kind, Problem, Refused, Taken
from grader.intake.blame import unreadable
from grader.intake.budget import Budget
from grader.intake.layout import Search
from grader.intake.names import shown
from grader.intake.nofollow import OPENER, Folder, kind_of, opened


class FolderLevel:
    """A folder on a disk, as a level of a submission."""

    problems: Sequence[Problem] = ()

    def __init__(self, folder: Folder, name: str, budget: Budget) -> None:
        self._folder = folder
        self._name = name
        self._budget = budget

    def entries(self) -> Sequence[Entry]:
        """Return what lies here, sorted by name."""
        found = self._folder.names(self._budget.caps.entries + 1)
        self._budget.check_entries(len(found), shown(self._name))
        return sorted(found)

    def read(self, name: str, called: str = "") -> bytes:
        """Return the content of a file, read once and within the caps."""
        with self._folder.file(name) as stream:
            return self._budget.read(stream, self._budget.caps.of(called or name), shown(called or name))

    def archive(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open an archive that lies here."""
        return self._folder.file(name)

    @contextmanager
    def enter(self, name: str) -> Iterator[FolderLevel]:
        """Open a folder that lies here."""
        with opened(self._folder.folder(name)) as folder:
            yield FolderLevel(folder, name, self._budget)


def handles(path: Path) -> bool:
    """Whether the path is a folder, and no link to one."""
    return kind_of(path.lstat()) is Kind.FOLDER


def name(path: Path) -> str:
    """Return the folder's name."""
    return path.name


def read(path: Path, wanted: Collection[str], caps: Caps) -> Taken:
    """Take the wanted files from a folder."""
    budget = Budget(caps)
    try:
        with opened(OPENER.at(path)) as folder:
            return Search(wanted, budget).take(FolderLevel(folder, path.name, budget))
    except Refused as refused:
        return Taken(problems=(refused.problem,))
    except OSError as error:
        return Taken(problems=(unreadable(shown(path.name), error),))
