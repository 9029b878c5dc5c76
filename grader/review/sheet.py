"""The file that a person fills in, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.escape.terminal import line
from grader.escape.toml import string
from grader.model.manifest import RubricItem
from grader.review.model import FilledAnswer, FilledCase, Review

_HEAD = """\
# What a person decides. Points that stay "" are open, and so is a score: nothing is noted for them.
# When it is filled in: grader review apply {file} {folder}
"""
Rubrics = Mapping[tuple[str, str], Sequence[RubricItem]]


def as_toml(review: Review, rubrics: Rubrics, *, file: str, folder: str) -> str:
    """Return a review as a file to fill in.

    Args:
        review: What is filled in already.
        rubrics: Of each answer, by assignment and file, what to look for.
        file: Where it is written, for the words on top.
        folder: The folder of reports.
    """
    parts = [_HEAD.format(file=line(file), folder=line(folder)), f"author = {string(review.author)}\n"]
    parts += ["\n".join(_answer(each, rubrics.get((each.assignment, each.file), ()))) for each in review.answers]
    parts += ["\n".join(_case(each)) for each in review.cases]
    return "\n".join(parts)


def _answer(each: FilledAnswer, rubric: Sequence[RubricItem]) -> Iterator[str]:
    yield "[[answers]]"
    for name in ("student", "assignment", "file", "read", "comment"):
        yield f"{name} = {string(getattr(each, name))}"
    if each.points:
        worth = {item.id: f"  # of {item.points:g}: {line(item.title.en)}" for item in rubric}
        yield "[answers.points]"
        yield from (f"{name} = {_number(given)}{worth.get(name, '')}" for name, given in each.points.items())
    yield ""


def _case(each: FilledCase) -> Iterator[str]:
    yield "[[cases]]"
    for name in ("student", "assignment", "exercise", "about"):
        yield f"{name} = {string(getattr(each, name))}"
    yield f"score = {_number(each.score)}"
    yield f"comment = {string(each.comment)}"
    yield f"reason = {string(each.reason)}"
    yield ""


def _number(given: float | str) -> str:
    return '""' if given == "" else f"{given:g}"
