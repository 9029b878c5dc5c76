"""The unit as a map: what comes after what, how long it takes, what it is worth, and how far a student is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.course.assignment import Assignment
from grader.course.order import before, in_order
from grader.kit.columns import left, right, width
from grader.kit.handout import minutes
from grader.kit.state import State

_WORDS = {
    "en": {
        "minutes": "{} min",
        "points": "{:g} points",
        "done": "{} of {} done",
        "after": "after {}",
        "also": "and after {}",
        "sum": "all",
    },
    "zh-TW": {
        "minutes": "{} 分鐘",
        "points": "{:g} 分",
        "done": "完成 {}/{}",
        "after": "在 {} 之後",
        "also": "也在 {} 之後",
        "sum": "總計",
    },
}
_OPEN, _DONE, _PART = "[ ]", "[x]", "[~]"


@dataclass(frozen=True)
class _Line:
    """A line of the map: what it is of, and what it is about."""

    name: str
    minutes: int
    points: float
    done: int
    of: int
    more: str


def tell(assignments: Sequence[Assignment], state: State, language: str) -> Iterator[str]:
    """Yield the map of some assignments, a line each: below the one that it goes on from, and after it what else it needs."""
    ordered = in_order(assignments)
    lines = [
        line for each in ordered if not before(each, ordered) for line in _tree(each, ordered, state, language, ())
    ]
    yield from _told(lines, language, counted=True)


def tell_one(assignment: Assignment, state: State, language: str) -> Iterator[str]:
    """Yield the exercises of one assignment, a line each, with those that each needs."""
    lines = []
    for exercise, takes in zip(assignment.manifest.exercises, minutes(assignment), strict=True):
        finished = exercise.id in state.finished
        needs = ", ".join(each.partition(".")[2] for each in exercise.needs)
        after = f" ({_WORDS[language]['after'].format(needs)})" if needs else ""
        lines.append(
            _Line(
                f"{_mark(int(finished), 1)} {exercise.id}",
                takes or 0,
                exercise.points,
                int(finished),
                1,
                f"{exercise.title.said_in(language)}{after}",
            )
        )
    yield from _told(lines, language, counted=False)


def _tree(
    assignment: Assignment, ordered: Sequence[Assignment], state: State, language: str, last: tuple[bool, ...]
) -> Iterator[_Line]:
    parents = before(assignment, ordered)
    exercises = assignment.manifest.exercises
    done = sum(each.id in state.finished for each in exercises)
    also = f" ({_WORDS[language]['also'].format(', '.join(parents[1:]))})" if parents[1:] else ""
    title = assignment.manifest.title.said_in(language)
    name = f"{_mark(done, len(exercises))} {_branches(last)}{assignment.id}"
    takes = sum(each or 0 for each in minutes(assignment))
    yield _Line(name, takes, assignment.manifest.points, done, len(exercises), f"{title}{also}")
    children = [each for each in ordered if before(each, ordered)[:1] == [assignment.id]]
    for child in children:
        yield from _tree(child, ordered, state, language, (*last, child is children[-1]))


def _branches(last: Sequence[bool]) -> str:
    if not last:
        return ""
    above = "".join("   " if ends else "│  " for ends in last[:-1])
    return f"{above}{'└─ ' if last[-1] else '├─ '}"


def _mark(done: int, of: int) -> str:
    return _DONE if done == of else _PART if done else _OPEN


def _told(lines: Sequence[_Line], language: str, *, counted: bool) -> Iterator[str]:
    words = _WORDS[language]
    whole = _Line(
        f"    {words['sum']}",
        sum(line.minutes for line in lines),
        sum(line.points for line in lines),
        sum(line.done for line in lines),
        sum(line.of for line in lines),
        "",
    )
    rows = [
        (
            each.name,
            words["minutes"].format(each.minutes),
            words["points"].format(each.points),
            *([words["done"].format(each.done, each.of)] if counted else []),
            each.more,
        )
        for each in (*lines, whole)
    ]
    widths = [max(map(width, column)) for column in list(zip(*rows, strict=True))[:-1]]
    for name, *numbers, more in rows:
        cells = [left(name, widths[0]), *map(right, numbers, widths[1:])]
        yield "  ".join([*cells, more]).rstrip()
