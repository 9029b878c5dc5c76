"""From the paths of a command line to the submissions they name."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn, Protocol, get_args

from grader.intake.base import CAPS, Caps, Entry, Form, Kind, Origin, Problem, Submission, Taken, digest
from grader.intake.ids import safe_id
from grader.intake.leftover import LeaveOut, leftover
from grader.intake.missing import best_lookalikes
from grader.intake.names import collision_key, is_clutter, shown
from grader.intake.nofollow import OPENER, kind_of, opened
from grader.intake.registry import FORMS
from grader.model.errors import UsageError

Mode = Literal["auto", "one", "class"]
_FORMS = "a submission is a folder, a .zip, a .tar, a .tar.gz, a .tar.xz or a .tar.zst"
_ENTRIES_OF_A_CLASS = 1_000_000
FOLDER = "folder"
# What a folder may be called after: whoever made it chose.
_ANY_COLUMN = ("id", "sid", "login", "github", "email", "name")


@dataclass(frozen=True)
class _Found:
    """A submission not yet read."""

    name: str
    source: Path  # under the name the caller knows
    real: Path
    form: Form | None  # none for a link

    @property
    def id(self) -> str:
        return safe_id(self.name)


def discover(  # noqa: PLR0913 - each may be left out
    paths: Sequence[Path],
    wanted: Collection[str],
    mode: Mode = "auto",
    caps: Caps = CAPS,
    leave_out: LeaveOut = lambda _: None,
    *,
    alone: bool | None = None,
) -> list[Submission]:
    """Copy the submissions that lie at some paths.

    A submission is a folder, a zip or a tar. A folder that directly holds a wanted file is one submission, else each
    folder and archive in it is one; files of other kinds beside them are left out, and told.

    Args:
        paths: Folders and archives.
        wanted: Names of the files to take, those of the manifests.
        mode: `one` takes every path as one submission, `class` as a folder of them, `auto` by the rule above.
        caps: What one submission may cost.
        leave_out: Told what a folder of submissions holds beside them.
        alone: Whether nothing else was named beside the paths; by default where there is one of them.

    Returns:
        The submissions in the order of their ids. One of which nothing could be taken is among them, and says why.

    Raises:
        UsageError: A path does not exist or holds no submission, or two submissions have one id.
    """
    if mode not in get_args(Mode):
        raise UsageError(f"there is no mode {mode!r}", hint=f"one of {', '.join(get_args(Mode))}")
    if not paths:
        raise UsageError("no path was given", hint=_FORMS)
    alone = len(paths) == 1 if alone is None else alone
    found = sorted(
        (f for path in paths for f in _found(path, wanted, mode, leave_out, alone=alone)), key=lambda f: f.id
    )
    refuse_collisions(found)
    return [_copied(each, wanted, caps) for each in found]


def _found(path: Path, wanted: Collection[str], mode: Mode, leave_out: LeaveOut, *, alone: bool) -> list[_Found]:
    try:
        # The caller's own path may be a link; nothing below it is followed.
        real = path.resolve(strict=True)
        if kind_of(real.lstat()) is not Kind.FOLDER or mode == "one":
            return [_single(path, real, mode)]
        there = _entries(real)
        entries = [entry for entry in there if not is_clutter(entry.name)]
        if mode == "auto" and any(entry.name in wanted for entry in entries):
            return [_single(path, real, mode)]
        children = [child for entry in entries for child in _child(path, real, entry)]
    except OSError as error:
        raise UsageError(f"cannot be opened: {error.strerror or error}", where=path, hint=_remedy(error)) from error
    if not children and mode == "auto" and not alone:
        # One of many that were named one by one: a student whose file is missing, who must not stop the others.
        return [_single(path, real, mode)]
    if not children:
        _refuse_empty(path, entries, wanted)
    leave_out(leftover(path, real, there, {child.real.name for child in children}, wanted))
    return children


def _remedy(error: OSError) -> str:
    return "`chmod -R u+rX` lets it be read" if isinstance(error, PermissionError) else _FORMS


def _entries(real: Path) -> list[Entry]:
    with opened(OPENER.at(real)) as folder:
        return sorted(folder.names(_ENTRIES_OF_A_CLASS))


def _single(path: Path, real: Path, mode: Mode) -> _Found:
    if mode == "class":
        raise UsageError("is not a folder of submissions", where=path, hint="unpack it, or leave out --class")
    form = next((each for each in FORMS.values() if each.handles(real)), None)
    if form is None:
        raise UsageError("is neither a folder nor an archive", where=path, hint=f"{_FORMS}: give the folder around it")
    # The name the caller knows it by; `.` and `..` have none of their own.
    named = Path(os.path.abspath(path))  # noqa: PTH100 -- Path.absolute keeps `..`
    return _Found(form.name(named), named, real, form)


def _child(path: Path, real: Path, entry: Entry) -> Iterator[_Found]:
    if entry.kind is Kind.LINK:
        yield _Found(entry.name, path / entry.name, real / entry.name, None)
    for form in FORMS.values():
        if form.handles(real / entry.name):
            yield _Found(form.name(real / entry.name), path / entry.name, real / entry.name, form)


def _refuse_empty(path: Path, entries: Sequence[Entry], wanted: Collection[str]) -> NoReturn:
    files = [e.name for e in entries if e.kind is Kind.FILE]
    if own := sorted(set(files) & set(wanted)):
        hint = f"it holds {own[0]} itself, so it is one student's: leave out --class, or name the folder around it"
        raise UsageError("holds no submission", where=path, hint=hint)
    near = [name for want in sorted(wanted) for name in best_lookalikes(files, want)][:1]
    instead = f"found {shown(near[0])}; if that is one student's work, use --one" if near else _FORMS
    raise UsageError("holds no submission", where=path, hint=instead)


class _Named(Protocol):
    """What has an id, and comes from somewhere."""

    @property
    def id(self) -> str: ...

    @property
    def source(self) -> Path: ...


def refuse_collisions(found: Iterable[_Named]) -> None:
    """Refuse submissions whose reports would lie in one folder.

    Raises:
        UsageError: Two have one id, or ids that some file system takes for one.
    """
    seen: dict[str, _Named] = {}
    for each in found:
        first = seen.setdefault(collision_key(each.id), each)
        if first is not each:
            both = f"{_place(first)} and {_place(each)}"
            raise UsageError(f"two submissions are called {each.id!r}: {both}", hint="rename one, or leave one out")


def _place(each: _Named) -> str:
    origin = getattr(each, "origin", None)
    within = f" ({origin.called})" if origin and origin.source != FOLDER else ""
    return shown(f"{each.source}{within}")


def _copied(found: _Found, wanted: Collection[str], caps: Caps) -> Submission:
    if found.form is None:
        hint = "put the folder or archive itself there"
        taken = Taken(problems=(Problem(shown(found.source.name), "it is a link, and links are not followed", hint),))
    else:
        taken = found.form.read(found.real, wanted, caps)
    origin = Origin(FOLDER, found.name, (dict.fromkeys(_ANY_COLUMN, (found.name,)),))
    return Submission(found.id, found.source, taken.files, digest(taken.files), taken.ignored, taken.problems, origin)
