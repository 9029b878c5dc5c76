"""nbgrader: the tree `submitted/STUDENT/ASSIGNMENT/`, with the time in `timestamp.txt`.

Source: nbgrader, its documentation of the course directory and of collecting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from grader.intake.base import Refused
from grader.intake.names import shown
from grader.intake.sources.base import Asked, Contents, Handed, Part
from grader.intake.sources.place import Place
from grader.model.errors import UsageError

_TREE = "submitted"
_TIMESTAMP = "timestamp.txt"
_LOOKED_INTO = 50


def recognises(place: Place) -> str | None:
    """Return what shows that a download is such a tree: its name, or a time in it."""
    if (place.way[-1:] == (_TREE,) or place.name == _TREE) and _is_in_order(place):
        return f"a tree called {_TREE}"
    stamped = (
        f"{student}/{assignment}/{_TIMESTAMP}"
        for student in _students(place)[:_LOOKED_INTO]
        for assignment in _assignments(place, student)
        if _has_time(place, student, assignment)
    )
    return next(stamped, None)


def contents(place: Place, asked: Asked) -> Contents:
    """Return what each student handed in of the assignments that are asked for, or of the only one that is there."""
    tree = {student: _assignments(place, student) for student in _students(place)}
    there = sorted({name for names in tree.values() for name in names})
    chosen = there if len(there) == 1 else [name for name in there if name in asked.assignments]
    if not chosen:
        raise UsageError(
            f"it holds {len(there)} assignments, and none is called {' or '.join(sorted(asked.assignments))}",
            where=place.path,
            hint=f"there are: {', '.join(map(shown, there[:10]))}; call the one to grade as the course does",
        )
    handed = [_handed(place, student, names, chosen) for student, names in tree.items()]
    others = [f"{student}/{name}/" for student, names in tree.items() for name in names if name not in chosen]
    loose = [name for student in tree for name in _loose(place, student)]
    return Contents([each for each in handed if each.parts], (*(e.name for e in place.files), *others, *loose))


def _is_in_order(place: Place) -> bool:
    """Whether most students have assignments, and nothing beside them."""
    students = _students(place)
    return 2 * sum(bool(_assignments(place, name)) and not [*_loose(place, name)] for name in students) > len(students)


def _students(place: Place) -> Sequence[str]:
    return [entry.name for entry in place.folders]


def _assignments(place: Place, student: str) -> Sequence[str]:
    with suppress(Refused, OSError), place.below(student) as inner:
        return [entry.name for entry in inner.folders]
    return []


def _loose(place: Place, student: str) -> Iterator[str]:
    try:
        with place.below(student) as inner:
            names = [entry.name for entry in inner.files] or ([] if inner.entries else [""])
    except (Refused, OSError):
        names = [""]
    yield from (f"{student}/{name}" for name in names)


def _has_time(place: Place, student: str, assignment: str) -> bool:
    with suppress(Refused, OSError), place.below(student) as inner, inner.below(assignment) as work:
        return work.has(_TIMESTAMP)
    return False


def _handed(place: Place, student: str, names: Sequence[str], chosen: Sequence[str]) -> Handed:
    own = [name for name in names if name in chosen]
    times = [time for name in own if (time := _time(place, student, name))]
    said = dict.fromkeys(("id", "login", "sid", "email", "name"), (student,))
    parts = tuple(Part((student, name)) for name in own)
    return Handed(student, parts, (said,), submitted=max(times, key=_comparable, default=None))


def _time(place: Place, student: str, assignment: str) -> datetime | None:
    """Return what `timestamp.txt` says, such as `2026-02-03 10:11:12.123456 UTC`; None where its zone is not known."""
    with (
        suppress(Refused, OSError, ValueError, KeyError),
        place.below(student) as inner,
        inner.below(assignment) as work,
    ):
        if not work.has(_TIMESTAMP):
            return None
        day, clock, *zone = work.text(_TIMESTAMP).split()[:3]
        time = datetime.fromisoformat(f"{day}T{clock}")
        if not zone or time.tzinfo:
            return time
        return time.replace(tzinfo=UTC if zone[0] == "UTC" else ZoneInfo(zone[0]))
    return None


def _comparable(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)
