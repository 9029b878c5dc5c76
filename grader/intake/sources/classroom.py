"""GitHub Classroom: a folder of clones, each called `ASSIGNMENT-USERNAME`, as `gh classroom clone student-repos` makes it.

A submission's time is that of the commit that is checked out. Its author set it, and could set it as they like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from grader.intake.base import Entry, Kind, Refused, Said
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.commit import committed
from grader.intake.sources.place import Place

_GIT = ".git"
_CLONES = "-submissions"


def recognises(place: Place) -> str | None:
    """Return what shows that a download is a folder of clones."""
    folders = place.folders
    if not folders or not _prefix(place):
        return None
    clones = sum(_is_clone(place, entry) for entry in folders)
    return f"{clones} clones called {_prefix(place)}..." if 2 * clones > len(folders) else None


def contents(place: Place, asked: Asked) -> Contents:  # noqa: ARG001 - a clone holds what it holds
    """Return the clones, and folders beside them that have lost what makes them clones."""
    prefix = _prefix(place)
    handed = [_handed(place, entry, prefix) for entry in place.folders]
    return Contents(handed, tuple(entry.name for entry in place.files))


def _prefix(place: Place) -> str:
    """Return what the clones' names begin with, up to a dash: what the folder around them is called after, or what all share."""
    names = [entry.name for entry in place.folders]
    own = place.name.removesuffix(_CLONES) + "-"
    if place.name.endswith(_CLONES) and all(name.startswith(own) for name in names):
        return own
    if len(names) < 2:
        return ""
    # Names that lie between two others begin with what those two share.
    pairs = zip(min(names), max(names), strict=False)
    shared = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return shared[: shared.rfind("-") + 1]


def _is_clone(place: Place, entry: Entry) -> bool:
    try:
        with place.below(entry.name) as clone:
            return clone.has(_GIT, Kind.FOLDER)
    except (Refused, OSError):
        return False


def _handed(place: Place, entry: Entry, prefix: str) -> Handed:
    user = entry.name.removeprefix(prefix) or entry.name
    said: Said = {"github": tuple(_users(entry.name, prefix)), "group": (user,)}
    time = committed(place.disk / entry.name) if place.disk else None
    return Handed(user, (Part((entry.name,)),), (said,), submitted=time)


def _users(name: str, prefix: str) -> Iterator[str]:
    """Yield the user names that a clone's name may end in: a name may hold dashes, and so may an assignment's."""
    yield name.removeprefix(prefix)
    ends: Sequence[int] = [at for at, char in enumerate(prefix) if char == "-"]
    yield from (name[at + 1 :] for at in ends[:-1])
