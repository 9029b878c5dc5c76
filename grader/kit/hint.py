"""The three hints of an exercise, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from grader.kit.handout import hints
from grader.kit.lesson import Step
from grader.kit.state import HINTS, State

_OF = {"en": "{label} (hint {number} of {count}): {text}", "zh-TW": "{label}（提示 {number}／{count}）：{text}"}  # noqa: RUF001  # Chinese punctuation
_LAST = {
    "en": "that was the last one; the handout has an example to redo by hand",
    "zh-TW": "提示到此為止；講義裡有可以動手重算的例子",  # noqa: RUF001  # likewise
}


def shown(step: Step, state: State, language: str) -> Iterator[str]:
    """Yield the hints of an exercise that were asked for, each as one line.

    Raises:
        CourseError: The handout cannot be read.
    """
    count = state.hints.get(step.id, 0)
    found = hints(step.assignment, step.id, language)
    for number, (label, text) in enumerate(found[:count], 1):
        yield _OF[language].format(label=label, number=number, count=len(found), text=text)
    if count == HINTS:
        yield _LAST[language]
