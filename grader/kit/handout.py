"""A handout as a page of exercises: what each is called, and its three hints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.course.assignment import Assignment
from grader.kit.columns import is_wide
from grader.model.errors import CourseError

FILES = {"en": "handout.md", "zh-TW": "handout.zh-TW.md"}
_END = "\n"
HINTS = {"en": ("Idea", "Shape", "Step"), "zh-TW": ("概念", "形狀", "步驟")}
_POINTS = re.compile(r"(\d+(?:\.\d+)?) ?(?:points?\b|分(?!鐘))")
_MINUTES = re.compile(r"(\d+) ?(?:minutes?\b|分鐘)")


@dataclass(frozen=True)
class Section:
    """One exercise as a handout presents it.

    Args:
        number: Where it stands, counted from 1.
        title: Its heading, without points and minutes.
        opening: Its heading as it stands, and the first line below it: what it is worth and takes is told in one of the two.
        body: All that is below the heading.
        hints: Label and text of each hint, in order.
    """

    number: int
    title: str
    opening: str
    body: str
    hints: tuple[tuple[str, str], ...]


def sections(text: str, language: str) -> list[Section]:
    """Return the exercises of a handout, in order.

    Args:
        text: The handout.
        language: `en` or `zh-TW`.
    """
    found = re.split(r"^### (\d+)\. (.*)\n", text, flags=re.MULTILINE)[1:]
    bodies = (re.split(r"^##?#? ", body, flags=re.MULTILINE)[0].strip() for body in found[2::3])
    parts = zip(found[::3], found[1::3], bodies, strict=True)
    return [
        Section(
            int(number),
            title.partition(" · ")[0],
            f"{title} {body.partition(_END)[0]}",
            body,
            tuple(_hints(body, language)),
        )
        for number, title, body in parts
    ]


def _hints(body: str, language: str) -> Iterator[tuple[str, str]]:
    labels = "|".join(HINTS[language])
    # A hint is an item of a list that opens with its label and ends at the next item or at an empty line.
    item = rf"^(?:-|\d\.) \*({labels})[.:。：]?\*[.:。：]?(.*?)(?=^(?:-|\d\.) |^\s*$|\Z)"  # noqa: RUF001
    yield from ((label, text.strip()) for label, text in re.findall(item, body, flags=re.DOTALL | re.MULTILINE))


def hints(assignment: Assignment, exercise: str, language: str) -> list[tuple[str, str]]:
    """Return label and text of an exercise's hints, each text as one line.

    Raises:
        CourseError: The handout is missing, or does not have the manifest's exercises.
    """
    path = assignment.folder / FILES[language]
    try:
        found = sections(path.read_text("utf-8"), language)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        hint = "the hints stand in it: take it from your course again, and no hint is lost"
        raise CourseError(f"the handout cannot be read: {why}", where=path, hint=hint) from error
    ids = [each.id for each in assignment.manifest.exercises]
    if len(found) != len(ids):
        raise CourseError(
            f"the handout has {len(found)} exercises, and the manifest {len(ids)}",
            where=path,
            hint="whoever wrote the course can mend it: each exercise has a heading `### 1. ...`, in the manifest's order",
        )
    return [(label, _flowing(text)) for label, text in found[ids.index(exercise)].hints]


def _flowing(text: str) -> str:
    """One line of a text that is broken into lines: where Chinese text breaks there is no space."""
    return re.sub(r"\s*\n\s*", lambda found: _between(text, found), text)


def _between(text: str, found: re.Match[str]) -> str:
    around = text[found.start() - 1 : found.start()] + text[found.end() : found.end() + 1]
    return "" if any(map(is_wide, around)) else " "


def points_told(section: Section) -> float | None:
    """Return what a handout says that an exercise is worth; None where it does not say."""
    found = _POINTS.search(section.opening)
    return float(found[1]) if found else None


def minutes_told(section: Section) -> int | None:
    """Return how many minutes a handout allows for an exercise; None where it does not say."""
    found = _MINUTES.search(section.opening)
    return int(found[1]) if found else None


def minutes(assignment: Assignment) -> list[int | None]:
    """Return how many minutes the handout allows for each exercise, in order; none where it cannot be read."""
    try:
        text = (assignment.folder / FILES["en"]).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return [None] * len(assignment.manifest.exercises)
    found = [minutes_told(section) for section in sections(text, "en")]
    lacking = len(assignment.manifest.exercises) - len(found)
    return (found + [None] * lacking)[: len(assignment.manifest.exercises)]
