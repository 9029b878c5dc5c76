"""Tell a student how their exercises stand, in plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.course.place import Place
from grader.escape.terminal import block, line
from grader.kit.check import Checked
from grader.model.evidence import Diagnosis, Explanation, TestEvidence
from grader.model.verdict import Status, Tier, most_telling, question_name

_HINT = {"en": "hint: ", "zh-TW": "提示："}  # noqa: RUF001  # the colon of Chinese text
_LOOK = {
    "en": "look at: {name} ({file}, line {line})",
    "zh-TW": "看這裡：{name}（{file}，第 {line} 行）",  # noqa: RUF001  # likewise
}
_SHOWN = 3
_LINES, _LINES_VERBOSE = 6, 20
WAS_FINISHED = {
    "en": "this exercise was finished, and fails now",
    "zh-TW": "這一題曾經完成，現在卻失敗了",  # noqa: RUF001  # a comma of Chinese text
}


def tell(checked: Checked, language: str, told: set[str], *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines about one exercise: a verdict, the mistake if it has a name, and what the failed tests saw.

    Args:
        checked: The exercise.
        language: `en` or `zh-TW`.
        told: The misconceptions that were explained already; each is explained once.
        verbose: Whether everything is told that was seen, and not the first of it.
    """
    held = sum(test.status is Status.PASSED for test in checked.tests)
    status = most_telling(test.status for test in checked.tests)
    yield f"{checked.exercise:<24} {status:<16} {held} of {len(checked.tests)} visible tests"
    for diagnosis in checked.diagnoses:
        yield from _mistake(diagnosis, checked.places, language, told)
    yield from _blanks(checked)
    yield from _failures(checked, len(checked.tests) if verbose else _SHOWN, _LINES_VERBOSE if verbose else _LINES)


def _blanks(checked: Checked) -> Iterator[str]:
    """The questions of a worksheet that have no answer yet."""
    tests = [test for test in checked.tests if _is_blank(test)]
    if tests:
        yield f"    {line(', '.join(dict.fromkeys(question_name(test.id) for test in tests)))}: still blank"
    notes = dict.fromkeys(test.message.partition(f": {checked.exercise}; ")[2] for test in tests)
    yield from (f"    {line(note)}" for note in notes if note)


def _is_blank(test: TestEvidence) -> bool:
    return test.tier is Tier.QUESTION and test.status is Status.NOT_IMPLEMENTED


def _mistake(
    diagnosis: Diagnosis, places: Mapping[str, Sequence[Place]], language: str, told: set[str]
) -> Iterator[str]:
    for name, explanation in diagnosis.explained(language):
        root = name.partition("/")[0]
        where = ", ".join(diagnosis.questions) if root == diagnosis.exercise else root
        yield f"    => {f'{where}: ' if where else ''}{explanation.name}"
        yield from _reasons(explanation, language, places.get(root, [])) if name not in told else ()
        told.add(name)


def _reasons(explanation: Explanation, language: str, places: Sequence[Place]) -> Iterator[str]:
    yield f"       {explanation.why}"
    yield f"       {_HINT[language]}{explanation.hint}"
    yield from (
        f"       {_LOOK[language].format(name=place.name, file=place.file, line=place.line)}" for place in places
    )


def _failures(checked: Checked, most: int, lines: int) -> Iterator[str]:
    """The first few things that tests saw, each thing once."""
    wrong = [test for test in checked.tests if test.status is not Status.PASSED and not _is_blank(test)]
    failed = {test.message: test for test in reversed(wrong)}
    seen = list(reversed(failed.values()))
    for test in seen[:most]:
        yield f"    {_place(test)}{_indented(_shortened(test.message, lines))}"
        yield from _line_of_code(test, checked.files)
    if len(seen) > most:
        yield f"    and {len(seen) - most} more"


def _shortened(message: str, lines: int) -> str:
    head = message.split("\n")
    return message if len(head) <= lines else "\n".join([*head[: lines - 1], "..."])


def _line_of_code(test: TestEvidence, files: Mapping[str, bytes]) -> Iterator[str]:
    """The student's own line in which an error was raised; of a template, everybody knows it."""
    error = test.error
    if error is None or not error.line or test.status is Status.NOT_IMPLEMENTED:
        return
    if error.file is None or error.file not in files:
        return
    code = files[error.file].decode("utf-8", "replace").splitlines()
    if error.line <= len(code) and code[error.line - 1].strip():
        yield f"        {error.file}:{error.line} | {line(code[error.line - 1].strip())}"


def _place(test: TestEvidence) -> str:
    """The test's name, where it was the test that saw something: a file that cannot be imported failed before any."""
    return "" if test.status.comes_before_tests else f"{line(test.id.partition('::')[2])}: "


def _indented(message: str) -> str:
    """A message with its lines under one another, so that none looks like a verdict."""
    return block(message).replace("\n", "\n        ")
