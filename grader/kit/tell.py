"""Tell a student how their exercises stand, in plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from grader.course.place import Place
from grader.escape.terminal import line
from grader.kit.checked import Checked
from grader.kit.columns import left
from grader.kit.failures import failures, is_blank
from grader.model.evidence import Diagnosis, Explanation
from grader.model.points import rounded
from grader.model.verdict import Status, Tier, question_name
from grader.score.rubric import CORE_SHARE, is_worksheet, points, share
from grader.words import check as words
from grader.words.status import STATUS


def tell(checked: Checked, language: str, told: set[str], *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines about one exercise: a verdict, the mistake if it has a name, and what the failed tests saw.

    Args:
        checked: The exercise.
        language: `en` or `zh-TW`.
        told: The misconceptions that were explained already; each is explained once.
        verbose: Whether everything is told that was seen, and not the first of it.
    """
    status, tests = _verdict(checked, language)
    yield f"{checked.exercise:<30} {left(status, 16)} {tests}"
    for diagnosis in checked.diagnoses:
        yield from _mistake(diagnosis, checked.places, language, told)
    yield from _earned(checked, language)
    yield from _blanks(checked, language)
    if checked.unmet:
        yield f"    {words.MEND_FIRST(language, name=checked.unmet)}"
    yield from failures(checked, language, verbose=verbose)


def _verdict(checked: Checked, language: str) -> tuple[str, str]:
    """How an exercise stands, and how many of its tests held; of a worksheet that is right as far as it was compared, how far that is."""
    asked, compared = _questions(checked)
    if checked.passed and len(compared) < len(asked):
        counts = {"compared": len(compared), "rest": len(asked) - len(compared)}
        return words.COMPLETE(language), words.GRADED_LATER(language, **counts)
    held = sum(test.status is Status.PASSED for test in checked.tests)
    status = words.NOT_BEGUN if checked.is_missing_sheet else STATUS[checked.status]
    return status(language), words.TESTS(language, held=held, count=len(checked.tests))


def _earned(checked: Checked, language: str) -> Iterator[str]:
    """What an exercise would earn by these tests, core and edge apart; of a worksheet, how many answers were compared."""
    tests = checked.locked
    if is_worksheet(tests):
        yield from _compared(checked, language)
    elif not (checked.passed or checked.status.comes_before_tests):
        passed = {test.id: test.status is Status.PASSED for test in checked.tests}
        core, edge = ([test for test in tests if (test.tier is Tier.EDGE) is wanted] for wanted in (False, True))
        earned, of_core = share(tests, passed), CORE_SHARE if edge else Fraction(1)
        for said, some, got, worth, note in (
            (words.CORE, core, min(earned, of_core), of_core, words.ALL_MUST_HOLD),
            (words.EDGE, edge, max(earned - of_core, Fraction(0)), 1 - of_core, words.ONCE_CORE_HOLDS),
        ):
            if some:
                counts = {"held": sum(passed[test.id] for test in some), "count": len(some)}
                of_points = {
                    "earned": rounded(points(got, checked.worth)),
                    "worth": rounded(points(worth, checked.worth)),
                }
                yield f"    {said(language, **counts, **of_points, note='' if earned else note(language))}"


def _compared(checked: Checked, language: str) -> Iterator[str]:
    asked, compared = _questions(checked)
    if compared != asked and not (checked.passed or checked.status.comes_before_tests):
        rest = len(asked) - len(compared)
        yield f"    {words.COMPARED(language, compared=len(compared), count=len(asked), rest=rest)}"


def _questions(checked: Checked) -> tuple[set[str], set[str]]:
    """The questions of a worksheet, and those whose answers were compared; of anything else none."""
    if not is_worksheet(checked.locked):
        return set(), set()
    return {question_name(test.id) for test in checked.tests}, {question_name(name) for name in checked.compared}


def _blanks(checked: Checked, language: str) -> Iterator[str]:
    """The questions of a worksheet that have no answer yet."""
    tests = [test for test in checked.tests if is_blank(test)]
    if tests:
        names = dict.fromkeys(question_name(test.id) for test in tests)
        yield f"    {words.BLANK(language, names=line(', '.join(names)))}"
    notes = dict.fromkeys(test.message.partition(f": {checked.exercise}; ")[2] for test in tests)
    yield from (f"    {line(note)}" for note in notes if note)


def _mistake(
    diagnosis: Diagnosis, places: Mapping[str, Sequence[Place]], language: str, told: set[str]
) -> Iterator[str]:
    for name, explanation in diagnosis.explained(language):
        root = name.partition("/")[0]
        where = ", ".join(diagnosis.questions) if root == diagnosis.exercise else root
        yield f"    => {words.MISTAKE_IN(language, where=where) if where else ''}{explanation.name}"
        yield from _reasons(explanation, language, places.get(root, [])) if name not in told else ()
        told.add(name)


def _reasons(explanation: Explanation, language: str, places: Sequence[Place]) -> Iterator[str]:
    yield f"       {explanation.why}"
    yield f"       {words.HINT(language)}{explanation.hint}"
    yield from (f"       {words.LOOK(language, name=place.name, file=place.file, line=place.line)}" for place in places)
