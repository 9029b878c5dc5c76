"""A handout, taken apart: headings, exercises with their hints, equations and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from grader.course.assignment import load_assignment
from grader.kit import handout
from grader.kit.handout import FILES
from grader.model.manifest import Exercise
from tests.conftest import ROOT

_BREAKS = {"en": r"What would break if", "zh-TW": r"什麼會壞掉|會壞掉什麼"}
_POINTS = r"(\d+(?:\.\d+)?) ?(?:points?\b|分(?!鐘))"
_MINUTES = r"(\d+) ?(?:minutes?\b|分鐘)"
# A number: 3, 0.5, .5 or -1; not the 2 of float32 or of `rotate_2d`, and not the minus of T-1.
_NUMBER = re.compile(r"(?:(?<=[\s(\[`])-)?(?<![A-Za-z_\d.])\d*\.?\d+")


@dataclass(frozen=True)
class Section:
    """One exercise as a handout presents it.

    Args:
        number: Where it stands, counted from 1.
        title: Its heading, without number, points and minutes.
        points: As told to the student.
        minutes: Its time budget.
        hints: Label and text of each hint, in order.
        breaks: How many questions ask what would break.
    """

    number: int
    title: str
    points: float
    minutes: int
    hints: tuple[tuple[str, str], ...]
    breaks: int

    @property
    def signature(self) -> str:
        """The first code in the heading, such as `softmax(x, axis=-1)`."""
        found = re.search(r"`([^`]+)`", self.title)
        return found.group(1) if found else self.title


@dataclass(frozen=True)
class Page:
    """One handout in one language."""

    text: str
    language: str

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Level and text of each heading, in order."""
        prose = re.sub(r"^```.*?^```", "", self.text, flags=re.DOTALL | re.MULTILINE)
        return [(len(marks), title) for marks, title in re.findall(r"^(#+) (.*)$", prose, flags=re.MULTILINE)]

    @property
    def numbers(self) -> list[str]:
        """Every number, in order."""
        return numbers(self.text)

    @property
    def equations(self) -> list[str]:
        """The displayed formulas, without the words in them."""
        return [
            re.sub(r"\\text\{[^}]*\}", "", "".join(found.split()))
            for found in re.findall(r"\$\$(.*?)\$\$", self.text, flags=re.DOTALL)
        ]

    @property
    def code(self) -> list[str]:
        """The blocks of code between fences."""
        return re.findall(r"^```\w*\n(.*?)^```", self.text, flags=re.DOTALL | re.MULTILINE)

    @property
    def sections(self) -> list[Section]:
        """The exercises, in order."""
        return [self._section(found) for found in handout.sections(self.text, self.language)]

    def _section(self, found: handout.Section) -> Section:
        points, minutes = re.search(_POINTS, found.opening), re.search(_MINUTES, found.opening)
        assert points, f"no points for exercise {found.number} in {found.opening!r}"
        assert minutes, f"no time budget for exercise {found.number} in {found.opening!r}"
        return Section(
            found.number,
            found.title,
            float(points.group(1)),
            int(minutes.group(1)),
            found.hints,
            len(re.findall(_BREAKS[self.language], found.body)),
        )


def numbers(text: str) -> list[str]:
    """Every number of a text, in order."""
    return _NUMBER.findall(text)


@cache
def page(assignment: str, language: str) -> Page:
    """The handout of an assignment in a language."""
    path = ROOT / "assignments" / assignment / FILES[language]
    return Page(path.read_text("utf-8"), language)


def assignments() -> list[str]:
    """All assignments of this course."""
    return sorted(path.parent.name for path in ROOT.glob("assignments/*/assignment.toml"))


def exercises(assignment: str) -> list[Exercise]:
    """The exercises that the manifest lists, in order."""
    return load_assignment(ROOT / "assignments" / assignment).manifest.exercises
