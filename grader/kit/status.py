"""How far a student is, from what is written and what was seen; nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from grader.kit.check import working_folder
from grader.kit.columns import left
from grader.kit.lesson import Step
from grader.kit.state import State
from grader.kit.work import Unreadable, is_bare, original, parts


class Standing(StrEnum):
    """How an exercise stands."""

    FINISHED = "finished"
    LOST = "was finished"
    BEGUN = "begun"
    UNREADABLE = "not Python"
    TO_DO = "to do"


_WORDS = {
    "en": {each: str(each) for each in Standing},
    "zh-TW": {
        Standing.FINISHED: "完成",
        Standing.LOST: "曾經完成",
        Standing.BEGUN: "進行中",
        Standing.UNREADABLE: "不是 Python",
        Standing.TO_DO: "尚未開始",
    },
}
_HINTS = {"en": "hints seen: {}", "zh-TW": "看過的提示：{}"}  # noqa: RUF001  # the colon of Chinese text
_POINTS = {"en": "{:g} points", "zh-TW": "{:g} 分"}
_SUM = {"en": "{} of {} finished, {:g} of {:g} points' worth", "zh-TW": "完成 {}／{}，共 {:g}／{:g} 分"}  # noqa: RUF001  # likewise


def standing(step: Step, state: State, here: Path) -> Standing:
    """Return how an exercise stands; what is written counts as begun where it is no longer the template."""
    if step.id in state.finished:
        return Standing.FINISHED
    if step.id in state.lost:
        return Standing.LOST
    return _written(step, working_folder(here, step.assignment.course, step.assignment))


def _written(step: Step, folder: Path | None) -> Standing:
    exercise = step.exercise
    if folder is None:
        return Standing.TO_DO
    if not exercise.names or exercise.is_worksheet:
        files = [str(exercise.file)] if exercise.is_worksheet else exercise.artifacts
        return Standing.BEGUN if any((folder / name).is_file() for name in files) else Standing.TO_DO
    file = folder / f"{exercise.module}.py"
    if not file.is_file():
        return Standing.TO_DO
    template = original(step.assignment, exercise.module)
    try:
        begun = parts(template.read_bytes(), file.name) if template.is_file() else {}
        return Standing.TO_DO if is_bare(exercise, parts(file.read_bytes(), file.name), begun) else Standing.BEGUN
    except Unreadable:
        return Standing.UNREADABLE


def tell(lesson: Sequence[Step], state: State, here: Path, language: str) -> Iterator[str]:
    """Yield a line for each exercise, and what they come to."""
    width = max(len(step.id) for step in lesson)
    yield from (row(step, standing(step, state, here), state, language, width) for step in lesson)
    done = [step.exercise.points for step in lesson if step.id in state.finished]
    everything = [step.exercise.points for step in lesson]
    yield _SUM[language].format(len(done), len(lesson), sum(done), sum(everything))


def row(step: Step, how: Standing, state: State, language: str, width: int) -> str:
    """Return the line of one exercise."""
    seen = state.hints.get(step.id, 0)
    told = f"{_POINTS[language].format(step.exercise.points)}{'  ' + _HINTS[language].format(seen) if seen else ''}"
    return f"{step.id:<{width}}  {left(_WORDS[language][how], 14)} {told}"
