"""Where the wanted files lie in a submission: at the top, or below the only folder or archive that is there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from grader.intake import formats
from grader.intake.base import Entry, Kind, Level, Problem, Refused, Taken
from grader.intake.blame import unreadable
from grader.intake.budget import Budget
from grader.intake.missing import is_lookalike, missing
from grader.intake.names import collision_key, is_archive, is_clutter, is_notebook, shown
from grader.intake.notebook.stand_in import StandIn, Wanted, stand_in

_LISTED = 100


@dataclass(frozen=True)
class Search:
    """The search for some files in one submission.

    Args:
        wanted: Names of the files to take, `name` or `folder/name`.
        budget: What it may cost.
    """

    wanted: Collection[str]
    budget: Budget

    def take(self, level: Level, where: str = "") -> Taken:
        """Take the wanted files from a level, or from the one that its only folder or archive leads to.

        Args:
            level: The folder to look in.
            where: The way from the submission's top to here: the names on it, each with a slash after it.

        Raises:
            Refused: The level itself cannot be read.
            OSError: Likewise, in the disk's words.
        """
        entries = [entry for entry in level.entries() if not is_clutter(entry.name)]
        here = Taken(problems=tuple(level.problems))
        way = self._way_down(entries)
        if way is None:
            return joined(here, self._picked(level, entries, where))
        below = self._descended(level, way, where)
        if not below.files and any(is_notebook(entry.name) for entry in entries):
            # A notebook of any name may hold the work, and a folder beside it only its data.
            picked = self._picked(level, entries, where)
            if picked.files:
                return joined(here, picked)
        return joined(here, _ignored(entries, {way.name}, where), below)

    def _way_down(self, entries: Sequence[Entry]) -> Entry | None:
        """Return the only folder or archive, unless a file is here that is wanted or was meant to be."""
        ways = [e for e in entries if e.kind is Kind.FOLDER or (e.kind is Kind.FILE and is_archive(e.name))]
        here = any(e.name in self.wanted or (e.name in self._folders and e.kind is Kind.FOLDER) for e in entries)
        meant = any(is_lookalike(e.name, name) for e in entries for name in self.wanted)
        return ways[0] if len(ways) == 1 and not here and not meant else None

    def _descended(self, level: Level, way: Entry, where: str) -> Taken:
        place = f"{where}{way.name}"
        if where.count("/") == self.budget.caps.depth:
            return Taken(problems=(Problem(shown(place), "the files lie too deep", "put them at the top"),))
        try:
            with self._below(level, way) as below:
                return self.take(below, f"{place}/")
        except Refused as refused:
            return Taken(problems=(refused.problem,))
        except OSError as error:
            return Taken(problems=(unreadable(shown(place), error),))

    @contextmanager
    def _below(self, level: Level, way: Entry) -> Iterator[Level]:
        if way.kind is Kind.FOLDER:
            with level.enter(way.name) as below:
                yield below
        else:
            with (
                level.archive(way.name) as stream,
                formats.opened(way.name, stream, self.wanted, self.budget) as below,
            ):
                yield below

    @property
    def _folders(self) -> list[str]:
        """The folders in which wanted files lie."""
        return sorted({name.partition("/")[0] for name in self.wanted if "/" in name})

    def _picked(self, level: Level, entries: Sequence[Entry], where: str) -> Taken:
        """Take the wanted files that lie here, and those in the folders that they name."""
        folders = [entry.name for entry in entries if entry.kind is Kind.FOLDER and entry.name in self._folders]
        own = [name for name in self.wanted if name.partition("/")[0] not in folders]
        plain = Search(own, self.budget).directly(level, entries, where, folders)
        return joined(plain, *(self._inside(level, folder, where) for folder in folders))

    def _inside(self, level: Level, folder: str, where: str) -> Taken:
        """Take the wanted files of a folder."""
        search = Search([name.partition("/")[2] for name in self.wanted if name.startswith(f"{folder}/")], self.budget)
        try:
            with level.enter(folder) as below:
                entries = [entry for entry in below.entries() if not is_clutter(entry.name)]
                taken = search.directly(below, entries, f"{where}{folder}/")
        except Refused as refused:
            return Taken(problems=(refused.problem,))
        except OSError as error:
            return Taken(problems=(unreadable(shown(where + folder), error),))
        files = {f"{folder}/{name}": content for name, content in taken.files.items()}
        return Taken(files, taken.ignored, taken.problems)

    def directly(self, level: Level, entries: Sequence[Entry], where: str, entered: Collection[str] = ()) -> Taken:
        """Take the wanted files that lie on a level itself; what was entered already is not told as ignored."""
        files: dict[str, bytes] = {}
        problems: list[Problem] = []
        names = [entry.name for entry in entries]
        instead = self._instead(level, entries)
        for name in sorted(self.wanted):
            try:
                if name in instead.refused:
                    problems.append(replace(instead.refused[name], file=shown(where + name)))
                    continue
                if name not in names:
                    problems += [] if name in instead.files else [missing(name, entries, where)]
                    continue
                _refuse_rivals(name, names)
                files[name] = level.read(name)
            except Refused as refused:
                problems.append(Problem(shown(where + name), refused.problem.message, refused.problem.hint))
            except OSError as error:
                problems.append(unreadable(shown(where + name), error))
        used = {*self.wanted, *entered, *instead.used}
        taken = Taken(files=files | instead.files, problems=(*problems, *instead.notes))
        return joined(_ignored(entries, used, where), taken)

    def _instead(self, level: Level, entries: Sequence[Entry]) -> StandIn:
        """Return what the notebooks of a level hold of the modules that are not there."""
        files = [entry.name for entry in entries if entry.kind is Kind.FILE]
        modules = [name for name in self.wanted if name.endswith(".py") and "/" not in name]
        lacking = {name for name in modules if name not in {entry.name for entry in entries}}
        if not lacking or not any(map(is_notebook, files)):
            return StandIn()
        return stand_in(Wanted(modules, lacking, self.budget.caps.file_bytes), files, level.read)


def _refuse_rivals(name: str, names: Iterable[str]) -> None:
    rivals = [n for n in names if n != name and collision_key(n) == collision_key(name)]
    if rivals:
        message = f"{shown(rivals[0])} lies beside it, and many systems take the two for one"
        raise Refused(shown(name), message, f"hand in {name} alone")


def _ignored(entries: Sequence[Entry], used: Collection[str], where: str) -> Taken:
    names = [shown(f"{where}{e.name}{'/' if e.kind is Kind.FOLDER else ''}") for e in entries if e.name not in used]
    more = [f"and {len(names) - _LISTED} more"] if len(names) > _LISTED else []
    return Taken(ignored=(*names[:_LISTED], *more))


def joined(*parts: Taken) -> Taken:
    """Put what was taken in several places together."""
    return Taken(
        files={name: content for part in parts for name, content in part.files.items()},
        ignored=tuple(name for part in parts for name in part.ignored),
        problems=tuple(problem for part in parts for problem in part.problems),
    )
