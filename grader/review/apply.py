"""What a person decided goes to the gradebook, once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.toml import load_toml
from grader.gradebook.deciding import Decision, decide, stranger
from grader.gradebook.history import rulings
from grader.gradebook.place import opened
from grader.gradebook.policy.work import Ruling
from grader.graded.read import read_class
from grader.model.errors import UsageError
from grader.model.manifest import RubricItem
from grader.review.cases import answers
from grader.review.model import FilledAnswer, FilledCase, Review

Rubric = Mapping[str, RubricItem]


@dataclass(frozen=True)
class Applied:
    """What became of a file: decisions that were noted, those that stood already, and what is still open."""

    noted: int
    known: int
    open: int


def apply(file: Path, folder: Path, author: str, now: int) -> Applied:
    """Note in the gradebook what a person filled in. All of it or none: a mistake in the file is told first.

    Args:
        file: What was filled in.
        folder: The folder of reports, which has the gradebook and the rubrics.
        author: Who decides, where the file does not say.
        now: Seconds since 1970, UTC.

    Raises:
        CourseError: The file cannot be read.
        UsageError: Something in it cannot be: too many points, an item that the rubric has not, no reason,
            or a student who handed in nothing.
    """
    review = load_toml(file, Review, "review")
    decisions = list(_decisions(review, _rubrics(folder), review.author or author, now, file))
    with opened(folder) as book:
        for each in decisions:
            if note := stranger(book, each.student):
                raise UsageError(
                    note, where=file, hint="nothing was noted: mend `student` there, or take that part out"
                )
        there = rulings(book)
        new = [each for each in decisions if not _stands(each, there.get((each.student, each.assignment), []))]
        decide(book, *new)
    waiting = len(review.answers) + len(review.cases) - len(decisions)
    return Applied(len(new), len(decisions) - len(new), waiting)


def _rubrics(folder: Path) -> dict[tuple[str, str], Rubric]:
    return {
        (each.assignment, each.file): {item.id: item for item in each.rubric}
        for graded in read_class(folder)
        for each in answers(graded)
    }


def _stands(decision: Decision, before: list[Ruling]) -> bool:
    """Whether this was decided before, and nothing else since."""
    new = decision.ruling
    alike = {new.kind} if new.kind == "comment" else {"score", "withdrawn"}
    same = [
        replace(each, made=new.made) == new for each in before if each.exercise == new.exercise and each.kind in alike
    ]
    return any(same) if new.kind == "comment" else same[-1:] == [True]


def _decisions(
    review: Review, rubrics: Mapping[tuple[str, str], Rubric], author: str, now: int, file: Path
) -> Iterator[Decision]:
    for answer in review.answers:
        if answer.is_filled:
            rubric = rubrics.get((answer.assignment, answer.file), {})
            yield Decision(answer.student, answer.assignment, _of_answer(answer, rubric, author, now, file))
    for case in review.cases:
        if case.is_filled:
            yield Decision(case.student, case.assignment, _of_case(case, author, now, file))


def _of_answer(answer: FilledAnswer, rubric: Rubric, author: str, now: int, file: Path) -> Ruling:
    given = {name: points for name, points in answer.points.items() if points != ""}
    who = f"{answer.student}, {answer.file}"
    if not given:
        return Ruling(answer.file if rubric else "", "comment", None, answer.comment, author, "read", now)
    if open_ := [name for name in rubric if name not in given]:
        raise UsageError(f"{who}: {open_[0]!r} has no points yet", where=file, hint="give it some, or none to all")
    for name, points in given.items():
        if name not in rubric:
            hint = f"there are: {', '.join(rubric) or 'none'}"
            raise UsageError(f"{who}: the rubric has no item {name!r}", where=file, hint=hint)
        if not 0 <= points <= rubric[name].points:
            most = f"{rubric[name].points:g}"
            raise UsageError(f"{who}: {points:g} points for {name!r}", where=file, hint=f"it is worth 0 to {most}")
    reason = ", ".join(f"{name} {given[name]:g} of {item.points:g}" for name, item in rubric.items())
    return Ruling(answer.file, "score", round(sum(given.values()), 2), answer.comment, author, reason, now)


def _of_case(case: FilledCase, author: str, now: int, file: Path) -> Ruling:
    if not case.reason.strip():
        raise UsageError(f"{case.student}, {case.about}: no reason", where=file, hint="say why in `reason`")
    if case.score == "":
        return Ruling(case.exercise, "comment", None, case.comment, author, case.reason, now)
    return Ruling(case.exercise, "score", case.score, case.comment, author, case.reason, now)
