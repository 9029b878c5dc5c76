"""The unit as a map: what comes after what, how long it takes, what it is worth, and how far a student is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from grader.course.assignment import Assignment
from grader.course.order import before, in_order
from grader.kit.columns import left, right, width
from grader.kit.folding import folded
from grader.kit.handout import minutes
from grader.kit.state import State
from grader.words import path as words

# Columns: in fewer the last part of a line is no column of its own.
_NARROWEST = 24
_OPEN, _DONE, _PART, _STALE = "[ ]", "[x]", "[~]", "[?]"


@dataclass(frozen=True)
class _Line:
    """A line of the map: what it is of, and what it is about."""

    name: str
    minutes: int
    points: float
    done: int
    of: int
    more: str


def tell(
    assignments: Sequence[Assignment],
    state: State,
    language: str,
    columns: int | None = None,
    *,
    stale: AbstractSet[str] = frozenset(),
) -> Iterator[str]:
    """Yield the map of some assignments, a line each: below the one that it goes on from, and after it what else it needs.

    Args:
        assignments: What to show.
        state: How far the student is.
        language: `en` or `zh-TW`.
        columns: How wide the terminal is: what does not fit goes on below itself; None where lines may be of any length.
        stale: The exercises that were finished, and whose code has changed since they were checked.
    """
    ordered = in_order(assignments)
    lines = [
        line
        for each in ordered
        if not before(each, ordered)
        for line in _tree(each, ordered, state, language, (), stale=stale)
    ]
    yield from _told(lines, language, columns, counted=True)


def tell_one(
    assignment: Assignment,
    state: State,
    language: str,
    columns: int | None = None,
    *,
    stale: AbstractSet[str] = frozenset(),
) -> Iterator[str]:
    """Yield the exercises of one assignment, a line each, with those that each needs; see `tell`."""
    lines = []
    for exercise, takes in zip(assignment.manifest.exercises, minutes(assignment), strict=True):
        finished = exercise.id in state.finished
        needs = ", ".join(each.partition(".")[2] for each in exercise.needs)
        after = words.AFTER(language, names=needs) if needs else ""
        since = {exercise.id} & stale
        lines.append(
            _Line(
                f"{_mark(int(finished), 1, since)} {exercise.id}",
                takes or 0,
                exercise.points,
                int(finished),
                1,
                f"{exercise.title.said_in(language)}{after}{words.CHANGED(language) if since else ''}",
            )
        )
    yield from _told(lines, language, columns, counted=False)


def _tree(  # noqa: PLR0913  # what is shown, and how
    assignment: Assignment,
    ordered: Sequence[Assignment],
    state: State,
    language: str,
    last: tuple[bool, ...],
    *,
    stale: AbstractSet[str],
) -> Iterator[_Line]:
    parents = before(assignment, ordered)
    exercises = assignment.manifest.exercises
    done = sum(each.id in state.finished for each in exercises)
    also = words.ALSO_AFTER(language, names=", ".join(parents[1:])) if parents[1:] else ""
    title = assignment.manifest.title.said_in(language)
    since = {each.id for each in exercises} & stale
    name = f"{_mark(done, len(exercises), since)} {_branches(last)}{assignment.id}"
    takes = sum(each or 0 for each in minutes(assignment))
    yield _Line(
        name,
        takes,
        assignment.manifest.points,
        done,
        len(exercises),
        f"{title}{also}{words.CHANGED(language) if since else ''}",
    )
    children = [each for each in ordered if before(each, ordered)[:1] == [assignment.id]]
    for child in children:
        yield from _tree(child, ordered, state, language, (*last, child is children[-1]), stale=stale)


def _branches(last: Sequence[bool]) -> str:
    if not last:
        return ""
    above = "".join("   " if ends else "│  " for ends in last[:-1])
    return f"{above}{'└─ ' if last[-1] else '├─ '}"


def _mark(done: int, of: int, stale: AbstractSet[str]) -> str:
    if stale:
        return _STALE
    return _DONE if done == of else _PART if done else _OPEN


def _told(lines: Sequence[_Line], language: str, columns: int | None, *, counted: bool) -> Iterator[str]:
    whole = _Line(
        f"    {words.SUM(language)}",
        sum(line.minutes for line in lines),
        sum(line.points for line in lines),
        sum(line.done for line in lines),
        sum(line.of for line in lines),
        "",
    )
    rows = [
        (
            each.name,
            words.MINUTES(language, minutes=each.minutes),
            words.POINTS(language, points=each.points),
            *([words.DONE(language, done=each.done, count=each.of)] if counted else []),
            each.more,
        )
        for each in (*lines, whole)
    ]
    widths = [max(map(width, column)) for column in list(zip(*rows, strict=True))[:-1]]
    for name, *numbers, more in rows:
        cells = [left(name, widths[0]), *map(right, numbers, widths[1:])]
        yield from _beside("  ".join(cells), more, columns)


def _beside(cells: str, more: str, columns: int | None) -> Iterator[str]:
    """A line of the table; its last part goes on below itself, where that leaves it room enough to be read."""
    used, whole = width(cells) + 2, f"{cells}  {more}".rstrip()
    if columns is None or columns - used < _NARROWEST:
        yield from [whole] if columns is None else folded(whole, columns)
        return
    first, *rest = folded(more, columns - used)
    yield f"{cells}  {first}".rstrip()
    yield from (f"{' ' * used}{row}" for row in rest)
