"""The confusion matrix as text: what each mistake is named as, and how many tests catch it."""

from __future__ import annotations

from collections.abc import Iterator

from grader.verify.result import Mistake, Result


def render(result: Result) -> Iterator[str]:
    """Yield the lines of a report on one assignment."""
    hidden = sum(test.suite == "hidden" for test in result.tests)
    suites = f"{hidden} hidden and {len(result.tests) - hidden} visible tests"
    yield f"{result.assignment}: {suites}, {_count(len(result.right), 'right answer')}, {_count(result.seeds, 'seed')}"
    for exercise in dict.fromkeys(mistake.exercise for mistake in result.mistakes):
        yield from _matrix(exercise, [mistake for mistake in result.mistakes if mistake.exercise == exercise])
    if result.blind:
        yield "  note: no mistake of the exercise differs from the reference in any call of these tests:"
        yield from (f"    {test}" for test in result.blind)
    if result.idle:
        yield "  note: no mistake is caught by one of these tests alone:"
        yield from (f"    {test}" for test in result.idle)
    yield from (f"  problem: {problem}" for problem in result.problems)
    yield f"  does not hold: {_count(len(result.problems), 'problem')}" if result.problems else "  holds"


def _matrix(exercise: str, mistakes: list[Mistake]) -> Iterator[str]:
    """One row a misconception: caught by so many tests; # where it and its variants are named as that column."""
    ids = list(dict.fromkeys(mistake.id for mistake in mistakes))
    width = max(len(_slug(each)) for each in ids)
    yield f"  {exercise}"
    for number, each in enumerate(ids, start=1):
        own = [mistake for mistake in mistakes if mistake.id == each]
        cells = "".join(
            "#" if all(column in m.named for m in own) else "+" if any(column in m.named for m in own) else "."
            for column in ids
        )
        yield f"    {number:>2} {_slug(each):<{width}}  {cells}  caught by {min(len(m.caught_by) for m in own)}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _slug(misconception: str) -> str:
    return misconception.partition("/")[2]
