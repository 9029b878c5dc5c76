"""Work that is graded: what its student may see of it, and what it counts for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grader.batch.finished import line_of
from grader.ci.work import Work
from grader.export.base import Options
from grader.export.grade import Grade, grade_of
from grader.export.words import Language
from grader.graded.read import Graded
from grader.model.report import Report
from grader.model.verdict import Status


@dataclass(frozen=True)
class GradedWork:
    """Work and the report on it.

    Args:
        work: The work.
        report: The instructor's report, of which only `grade` may be told.
    """

    work: Work
    report: Report

    @cached_property
    def grade(self) -> Grade:
        """What its student may see."""
        return grade_of(Graded(line_of(self.report).row, self.report, None), [self.work.assignment.id])

    def options(self, language: Language) -> Options:
        """Return how it is told: in a language, with where its files lie and what its exercises ask for."""
        exercises = {each.id: each for each in self.work.assignment.manifest.exercises}
        return Options(language=language, prefix=self.work.prefix, exercises=exercises)

    @property
    def begun(self) -> bool:
        """Whether anything was done: a kit holds the templates of assignments that are not due yet."""
        return any(exercise.status is not Status.NOT_IMPLEMENTED for exercise in self.grade.exercises)

    @property
    def counts(self) -> bool:
        """Whether the exit code goes by it."""
        return self.begun or self.work.asked

    def below(self, percent: float) -> bool:
        """Whether it earned less than a part of its points."""
        return (self.grade.score or 0) * 100 < percent * self.grade.points
