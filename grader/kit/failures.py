"""What the failed tests of an exercise saw, each thing once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.escape.terminal import block, line
from grader.kit.checked import Checked
from grader.model.evidence import TestEvidence
from grader.model.verdict import Status, Tier
from grader.words import check as words
from grader.words.status import TIER

_SHOWN = 3
_LINES, _LINES_VERBOSE = 6, 20


def failures(checked: Checked, language: str, *, verbose: bool) -> Iterator[str]:
    """Yield the first few things that tests saw, each with how many of them saw it; all where `verbose` is set."""
    wrong = [test for test in checked.tests if test.status is not Status.PASSED and not is_blank(test)]
    alike: dict[str, list[TestEvidence]] = {}
    for test in wrong:
        alike.setdefault(test.message, []).append(test)
    seen = list(alike.values())
    most, lines = (len(seen), _LINES_VERBOSE) if verbose else (_SHOWN, _LINES)
    for tests in seen[:most]:
        yield f"    {_place(tests, language)}{_indented(_shortened(tests[0].message, lines))}"
        yield from _lines_of_code(tests[0], checked.files)
    if more := sum(map(len, seen[most:])):
        yield f"    {words.MORE(language, count=more) if more > 1 else words.ONE_MORE(language)}"


def is_blank(test: TestEvidence) -> bool:
    """Whether it is a question of a worksheet that has no answer yet."""
    return test.tier is Tier.QUESTION and test.status is Status.NOT_IMPLEMENTED


def _shortened(message: str, lines: int) -> str:
    head = message.split("\n")
    return message if len(head) <= lines else "\n".join([*head[: lines - 1], "..."])


def _lines_of_code(test: TestEvidence, files: Mapping[str, bytes]) -> Iterator[str]:
    """The student's own lines on the way to an error, the outermost first; of a template, everybody knows it."""
    error = test.error
    if error is None or test.status is Status.NOT_IMPLEMENTED:
        return
    for place in error.lines:
        code = files.get(place.file, b"").decode("utf-8", "replace").splitlines()
        if 0 < place.line <= len(code) and code[place.line - 1].strip():
            yield f"        {line(place.file)}:{place.line} | {line(code[place.line - 1].strip())}"


def _place(tests: Sequence[TestEvidence], language: str) -> str:
    """The first test's name and what else is known of those that saw the same: a file that cannot be imported failed before any."""
    first = tests[0]
    if first.status.comes_before_tests:
        return ""
    more = words.BETWEEN(language).join([*_tier(tests, language), *_others(tests, language)])
    told = words.MORE_OF_TEST(language, more=more) if more else ""
    return words.TEST(language, name=line(first.id.partition("::")[2]), more=told)


def _tier(tests: Sequence[TestEvidence], language: str) -> list[str]:
    """The tier, where they are all of one; of a worksheet all are questions."""
    tiers = {test.tier for test in tests} - {Tier.QUESTION}
    return [TIER[tier](language) for tier in tiers] if len(tiers) == 1 else []


def _others(tests: Sequence[TestEvidence], language: str) -> list[str]:
    """How many tests more saw the same, or cases of one test."""
    others = len(tests) - 1
    if not others:
        return []
    if len({test.id.partition("[")[0] for test in tests}) == 1:
        return [words.CASES(language, count=others + 1)]
    return [words.MORE_TESTS(language, count=others) if others > 1 else words.ONE_MORE_TEST(language)]


def _indented(message: str) -> str:
    """A message with its lines under one another, so that none looks like a verdict."""
    return block(message).replace("\n", "\n        ")
