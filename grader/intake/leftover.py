"""What lies in a folder of submissions and is none: told, so that no student's work is missed in silence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.intake.base import Entry, Kind, Refused
from grader.intake.names import is_clutter, shown
from grader.intake.nofollow import OPENER, opened

# Nobody hands in so much by mistake; more names are not looked into.
_LOOKED_INTO = 1000


@dataclass(frozen=True)
class Leftover:
    """What of one folder of submissions is left out.

    Args:
        path: The folder, as the caller knows it.
        loose: Files that lie beside the submissions, fit to be shown.
        dotted: Folders that hold a wanted file, but are passed over for the dot before their names; likewise.
        system: The system that it was downloaded from; empty for a folder of anything.
    """

    path: Path
    loose: tuple[str, ...]
    dotted: tuple[str, ...]
    system: str = ""


LeaveOut = Callable[[Leftover], None]


def leftover(
    path: Path, real: Path, entries: Sequence[Entry], taken: Collection[str], wanted: Collection[str]
) -> Leftover:
    """Return what of a folder is left out.

    Args:
        path: The folder, as the caller knows it.
        real: The folder.
        entries: All that lies there.
        taken: The names of what is taken as a submission.
        wanted: Names of the files that a submission holds.
    """
    loose = [entry.name for entry in entries if not is_clutter(entry.name) and entry.name not in taken]
    dotted = [entry.name for entry in entries if entry.kind is Kind.FOLDER and entry.name.startswith(".")]
    work = [name for name in dotted[:_LOOKED_INTO] if _holds(real / name, wanted)]
    return Leftover(path, tuple(map(shown, loose)), tuple(map(shown, work)))


def _holds(folder: Path, wanted: Collection[str]) -> bool:
    """Whether a folder holds a wanted file itself. One that cannot be looked into is a tool's, as far as anyone can tell."""
    with suppress(OSError, Refused), opened(OPENER.at(folder)) as inner:
        return any(entry.name in wanted for entry in inner.names(_LOOKED_INTO))
    return False
