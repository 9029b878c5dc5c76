"""Gather what a person should look at, beside what one has filled in already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.course.toml import load_toml
from grader.graded.read import Graded, read_class
from grader.pipeline.write import write_together
from grader.review.cases import Answer, Case, answers, cases
from grader.review.model import FILE_NAME, FilledAnswer, FilledCase, Review
from grader.review.page import as_page
from grader.review.sheet import as_toml

PAGE = "review.html"


@dataclass
class Gathered:
    """What there is to look at.

    Args:
        answers: Answers in words.
        cases: What else a person should see.
    """

    answers: list[Answer] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)


def gather(graded: Iterable[Graded], assignments: Sequence[str] = ()) -> Gathered:
    """Return what a person should look at, in the order of the students' ids; of some assignments, or of all."""
    found = Gathered()
    for each in graded:
        found.answers += [one for one in answers(each) if not assignments or one.assignment in assignments]
        found.cases += [one for one in cases(each) if not assignments or one.assignment in assignments]
    return found


def collect(folder: Path, out: Path, assignments: Sequence[str] = ()) -> list[str]:
    """Write the page and the file to fill in. What is filled in stays.

    Args:
        folder: The folder of reports.
        out: Where to write.
        assignments: Which; none means all.

    Returns:
        What the person should know: what was filled in about texts that have changed since, or that are gone.

    Raises:
        UsageError: Nothing was graded there.
        CourseError: The file that is there already cannot be read; it is left as it is.
    """
    before = load_toml(out / FILE_NAME, Review, "review") if (out / FILE_NAME).exists() else Review()
    found = gather(read_class(folder), assignments)
    review, notes = merged(found, before)
    rubrics = {(each.assignment, each.file): each.rubric for each in found.answers}
    sheet = as_toml(review, rubrics, file=str(out / FILE_NAME), folder=str(folder))
    write_together({out / PAGE: as_page(found.answers, found.cases), out / FILE_NAME: sheet})
    return notes


def merged(found: Gathered, before: Review) -> tuple[Review, list[str]]:
    """Return what is to be filled in, with what is filled in already, and what to say of the latter.

    What was filled in about something that is no longer there stays in the file: only its author may throw it away.
    """
    filled = {each.place: each for each in before.answers}
    decided = {each.place: each for each in before.cases}
    notes: list[str] = []
    read = [_answer(each, filled.pop(_place(each), None), notes) for each in found.answers]
    looked_at = [decided.pop(each.place, each) for each in map(_blank, found.cases)]
    gone = [each for each in filled.values() if each.is_filled]
    closed = [each for each in decided.values() if each.is_filled]
    places = [" ".join(each.place) for each in gone] + [" ".join(each.place) for each in closed]
    notes += [f"{place}: filled in, and no longer there to be looked at" for place in places]
    return Review(author=before.author, answers=[*read, *gone], cases=[*looked_at, *closed]), notes


def _blank(case: Case) -> FilledCase:
    return FilledCase(student=case.student, assignment=case.assignment, exercise=case.exercise, about=case.about)


def _place(answer: Answer) -> tuple[str, str, str]:
    return (answer.student, answer.assignment, answer.file)


def _answer(answer: Answer, before: FilledAnswer | None, notes: list[str]) -> FilledAnswer:
    blank = FilledAnswer(
        student=answer.student,
        assignment=answer.assignment,
        file=answer.file,
        read=answer.digest,
        points={item.id: "" for item in answer.rubric},
    )
    if before is None or not before.is_filled:
        return blank
    if before.read != answer.digest:
        notes.append(f"{' '.join(before.place)}: the text has changed since it was filled in: look again")
    return blank.model_copy(update={"comment": before.comment, "points": blank.points | before.points})
