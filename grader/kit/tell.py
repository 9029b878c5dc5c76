"""Tell a student how their exercises stand, in plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.escape.terminal import block, line
from grader.kit.check import Checked
from grader.kit.place import Place
from grader.model.evidence import Explanation, TestEvidence
from grader.model.verdict import Status, most_telling

_HINT = {"en": "hint: ", "zh-TW": "提示："}  # noqa: RUF001  # the colon of Chinese text
_LOOK = {
    "en": "look at: {name} ({file}, line {line})",
    "zh-TW": "看這裡：{name}（{file}，第 {line} 行）",  # noqa: RUF001  # likewise
}
_SHOWN = 3


def tell(checked: Checked, language: str, told: set[str]) -> Iterator[str]:
    """Yield the lines about one exercise: a verdict, the mistake if it has a name, and what the failed tests saw.

    Args:
        checked: The exercise.
        language: `en` or `zh-TW`.
        told: The misconceptions that were explained already; each is explained once.
    """
    held = sum(test.status is Status.PASSED for test in checked.tests)
    status = most_telling(test.status for test in checked.tests)
    yield f"{checked.exercise:<24} {status:<16} {held} of {len(checked.tests)} visible tests"
    if checked.diagnosis is not None:
        explanations = checked.diagnosis.zh_tw if language == "zh-TW" else checked.diagnosis.en
        for name, explanation in zip(checked.diagnosis.misconceptions, explanations, strict=True):
            root = name.partition("/")[0]
            yield f"    => {'' if root == checked.exercise else f'{root}: '}{explanation.name}"
            yield from _reasons(explanation, language, checked.places.get(root, [])) if name not in told else ()
            told.add(name)
    yield from _failures(checked)


def _reasons(explanation: Explanation, language: str, places: Sequence[Place]) -> Iterator[str]:
    yield f"       {explanation.why}"
    yield f"       {_HINT[language]}{explanation.hint}"
    yield from (
        f"       {_LOOK[language].format(name=place.name, file=place.file, line=place.line)}" for place in places
    )


def _failures(checked: Checked) -> Iterator[str]:
    """The first few things that tests saw, each thing once."""
    failed = {test.message: test for test in reversed(checked.tests) if test.status is not Status.PASSED}
    seen = list(reversed(failed.values()))
    yield from (f"    {_place(test)}{_indented(test.message)}" for test in seen[:_SHOWN])
    if len(seen) > _SHOWN:
        yield f"    and {len(seen) - _SHOWN} more"


def _place(test: TestEvidence) -> str:
    """The test's name, where it was the test that saw something: a file that cannot be imported failed before any."""
    earlier = (Status.IMPORT_ERROR, Status.NOT_IMPLEMENTED)
    return "" if test.status in earlier else f"{line(test.id.partition('::')[2])}: "


def _indented(message: str) -> str:
    """A message with its lines under one another, so that none looks like a verdict."""
    return block(message).replace("\n", "\n        ")
