"""What is exported of a student: what they may see, with what counts of it."""

from __future__ import annotations

import base64
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grader.gradebook.policy.final import Final
from grader.gradebook.policy.rulings import in_force
from grader.gradebook.policy.work import Ruling
from grader.gradebook.show import Shown
from grader.graded.read import Graded, GradedClass
from grader.model.manifest import Text
from grader.model.points import rounded
from grader.model.report import ProblemInfo, StudentAssignment, StudentExercise
from grader.model.verdict import Status
from grader.score.student import for_student


@dataclass(frozen=True)
class Part:
    """One assignment of a grade.

    Args:
        id: Its id.
        title: Its title.
        counts: What counts, exactly; None where there is no score: a fault of ours, excused, or nothing handed in.
        points: What could be earned.
        fault: Whether there is no score by a fault of ours.
        exercises: As their student may see them, with the scores that a person decided.
        final: What the gradebook says of it; None where it says nothing.
        comments: What persons want the student to read.
    """

    id: str
    title: Text
    counts: Fraction | None
    points: float
    fault: bool = False
    exercises: Sequence[StudentExercise] = ()
    final: Final | None = None
    comments: Sequence[str] = ()

    @property
    def score(self) -> float | None:
        """What counts, with two decimals."""
        return None if self.counts is None else rounded(self.counts)

    @property
    def excused(self) -> bool:
        """Whether it is not asked for."""
        return self.final is not None and self.final.excused


@dataclass(frozen=True)
class Grade:
    """What counts for a student.

    Args:
        id: The student's id.
        parts: The assignments.
        status: What became of the submission; None where there is none.
        problems: What could not be taken of the submission.
        files: The files that were graded, by name.
    """

    id: str
    parts: Sequence[Part]
    status: Status | None = None
    problems: Sequence[ProblemInfo] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def fault(self) -> bool:
        """Whether a fault of ours leaves it without a score."""
        return any(part.fault for part in self.parts)

    @property
    def excused(self) -> bool:
        """Whether nothing of it is asked for."""
        return bool(self.parts) and all(part.excused for part in self.parts)

    @property
    def score(self) -> float | None:
        """What counts altogether, with two decimals; None where there is no score."""
        found = [part.counts for part in self._counting if part.counts is not None]
        return None if self.fault or not found else rounded(sum(found, Fraction(0)))

    @property
    def points(self) -> float:
        """What could be earned altogether."""
        return float(
            sum(Fraction(str(part.points)) for part in self._counting if not (part.final and part.final.bonus))
        )

    @property
    def exercises(self) -> Iterator[StudentExercise]:
        """The exercises of all assignments."""
        return (exercise for part in self.parts for exercise in part.exercises)

    @property
    def _counting(self) -> list[Part]:
        """That one is dropped is said of a sum: an assignment that stands alone counts what it counts."""
        asked = [part for part in self.parts if not part.excused]
        return [part for part in asked if len(asked) == 1 or not (part.final and part.final.dropped)]


def grades(graded: GradedClass, wanted: Container[str]) -> Iterator[Grade]:
    """Yield a class, and after it those for whom something counts that they did not hand in themselves.

    Args:
        graded: The class.
        wanted: The assignments to tell of.

    Raises:
        UsageError: A report is missing or is none.
    """
    titles: dict[str, Text] = {}
    there = set()
    for each in graded:
        there.add(each.row.id)
        grade = grade_of(each, wanted)
        titles.update((part.id, part.title) for part in grade.parts)
        yield grade
    shown = graded.counted.students if graded.counted else {}
    for student in sorted(shown.keys() - there):
        if parts := [part for part in _beside(shown[student], titles) if part.counts is not None or part.excused]:
            yield Grade(student, parts)


def grade_of(graded: Graded, wanted: Container[str]) -> Grade:
    """Return what is exported of a submission."""
    report = for_student(graded.report)
    files = {file.name: base64.b64decode(file.content) for file in graded.report.submission.files}
    parts = [_part(part, graded.counted) for part in report.assignments if part.id in wanted]
    return Grade(report.submission, parts, report.status, report.problems, files)


def _part(part: StudentAssignment, shown: Shown | None) -> Part:
    final, rulings = _said(shown, part.id)
    counts, fault = _counts(part, final, rulings)
    decided = in_force(rulings)
    exercises = [
        each.model_copy(update={"score": rounded(decided[each.id])}) if each.id in decided else each
        for each in part.exercises
    ]
    comments = [ruling.comment for ruling in rulings if ruling.comment]
    # What a manifest was changed to since, the gradebook has put to what it counts.
    points = float(final.points) if final is not None and final.attempt is not None else part.points
    return Part(part.id, part.title, counts, points, fault, exercises, final, comments)


def _counts(part: StudentAssignment, final: Final | None, rulings: Sequence[Ruling]) -> tuple[Fraction | None, bool]:
    """Return what counts, and whether a fault of ours leaves nothing to count."""
    if final is not None and final.excused:
        return None, False
    # A fault of ours is kept by no gradebook, which then knows of an earlier attempt or of none.
    if part.score is None and (final is None or "" not in in_force(rulings)):
        return None, True
    if final is not None and (final.attempt is not None or in_force(rulings)):
        return final.score, False
    return Fraction(str(part.score)), False


def _beside(shown: Shown, titles: Mapping[str, Text]) -> Iterator[Part]:
    """Yield what counts for somebody who handed in nothing: a partner did, or somebody decided."""
    for final in shown.finals:
        if final.assignment in titles:
            rulings = shown.rulings[final.assignment]
            known = final.attempt is not None or final.score or in_force(rulings)
            yield Part(
                final.assignment,
                titles[final.assignment],
                final.score if known and not final.excused else None,
                float(final.points),
                final=final,
                comments=[ruling.comment for ruling in rulings if ruling.comment],
            )


def _said(shown: Shown | None, assignment: str) -> tuple[Final | None, Sequence[Ruling]]:
    if shown is None:
        return None, ()
    final = next((each for each in shown.finals if each.assignment == assignment), None)
    return final, shown.rulings.get(assignment, ())
