"""An archive as a submission: a zip, or a tar, plain or compressed."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from grader.intake import formats
from grader.intake.base import Caps, Kind, Refused, Taken
from grader.intake.blame import unreadable
from grader.intake.budget import Budget
from grader.intake.layout import Search
from grader.intake.names import archive_suffix, is_archive, shown
from grader.intake.nofollow import file_at, kind_of


def handles(path: Path) -> bool:
    """Whether the path is a file named like an archive. One of a kind that is not read is told, not passed over."""
    return is_archive(path.name) and kind_of(path.lstat()) is Kind.FILE


def name(path: Path) -> str:
    """Return the archive's name without its suffix."""
    return path.name[: len(path.name) - len(archive_suffix(path.name))]


def read(path: Path, wanted: Collection[str], caps: Caps) -> Taken:
    """Take the wanted files from an archive."""
    budget = Budget(caps)
    try:
        with (
            file_at(path) as stream,
            formats.opened(path.name, stream, wanted, budget) as level,
        ):
            return Search(wanted, budget).take(level)
    except Refused as refused:
        return Taken(problems=(refused.problem,))
    except OSError as error:
        return Taken(problems=(unreadable(shown(path.name), error),))
