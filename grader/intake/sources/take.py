"""From what a source tells of a download to submissions, copied as all others are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from grader.intake.base import Entry, Level, Origin, Problem, Refused, Submission, Taken, digest
from grader.intake.blame import unreadable
from grader.intake.ids import safe_id
from grader.intake.layout import Search, joined
from grader.intake.names import shown
from grader.intake.sources.base import Handed, Part
from grader.intake.sources.place import Place


class RenamedLevel:
    """Some files of a folder, as a level that holds nothing else, each under another name."""

    def __init__(self, level: Level, files: Mapping[str, Entry]) -> None:
        self._level, self._files = level, files
        self.problems: Sequence[Problem] = ()

    def entries(self) -> Sequence[Entry]:
        """Return what lies here, sorted by name."""
        return sorted(Entry(name, entry.kind) for name, entry in self._files.items())

    def read(self, name: str, called: str = "") -> bytes:
        """Return the content of a file, within the caps of its name here."""
        return self._level.read(self._files[name].name, called=called or name)

    def archive(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open an archive that lies here."""
        return self._level.archive(self._files[name].name)

    def enter(self, name: str) -> AbstractContextManager[Level]:
        """Open a folder that lies here."""
        return self._level.enter(self._files[name].name)


def take(place: Place, handed: Handed, source: str, wanted: Collection[str]) -> Submission:
    """Copy a submission.

    Args:
        place: The folder of the download that holds it.
        handed: What the source tells of it.
        source: The source, by its name in the registry.
        wanted: Names of the files to take.
    """
    place.budget.renew()
    taken = _one_of(*(_part(place, part, wanted) for part in handed.parts))
    ignored = (*taken.ignored, *map(shown, handed.beside), *(f"{shown(name)} (earlier)" for name in handed.earlier))
    path = _path(place, handed)
    origin = Origin(
        source=source,
        called=handed.called,
        who=handed.who,
        submitted=handed.submitted,
        late=handed.late,
        attempt=handed.attempt,
        earlier=tuple(map(shown, handed.earlier)),
        shared=path == place.path,
    )
    files = dict(taken.files)
    return Submission(safe_id(handed.called), path, files, digest(files), ignored, taken.problems, origin)


def _path(place: Place, handed: Handed) -> Path:
    """Where the submission came from: its folder, where it has one on a disk, or the download."""
    ways = [part.way for part in handed.parts if part.way]
    return place.path.joinpath(*place.way, *ways[0]) if place.disk and ways else place.path


def _part(place: Place, part: Part, wanted: Collection[str]) -> Taken:
    where = "/".join(part.way)
    try:
        with _opened(place.level, part) as level:
            return Search(wanted, place.budget).take(level)
    except Refused as refused:
        return Taken(problems=(refused.problem,))
    except OSError as error:
        return Taken(problems=(unreadable(shown(where or place.name), error),))


@contextmanager
def _opened(level: Level, part: Part) -> Iterator[Level]:
    with ExitStack() as stack:
        for name in part.way:
            level = stack.enter_context(level.enter(name))
        yield level if part.files is None else RenamedLevel(level, part.files)


def _one_of(*parts: Taken) -> Taken:
    """Put the parts of a submission together: a file that is in one of them is not missing, and one in two is refused."""
    names = [name for part in parts for name in part.files]
    twice = sorted({name for name in names if names.count(name) > 1})
    told = [Problem(name, "it was handed in twice, in two places", "hand in one of the two") for name in twice]
    both = joined(*parts)
    there = {name.rpartition("/")[2] for name in names}
    problems = [each for each in both.problems if not (each.missing and each.file.rpartition("/")[2] in there)]
    files = {name: content for name, content in both.files.items() if name not in twice}
    return Taken(files, both.ignored, (*dict.fromkeys(problems), *told))
