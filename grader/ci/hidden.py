"""Grade with the hidden tests, where the private course lies beside the repository.

Students read the log. So whatever goes wrong with the course is told without its words: these name tests and inputs.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.ci.work import Work
from grader.export.words import Language
from grader.intake.base import caps_for
from grader.intake.discover import discover
from grader.intake.ids import safe_id
from grader.model.errors import CourseError, GraderError, UsageError
from grader.model.report import Report
from grader.pipeline.grade import grade
from grader.pipeline.key import FILE_NAME, course_key
from grader.pipeline.settings import Settings, prepare
from grader.sandbox.base import Level
from grader.sandbox.registry import chosen


class Hidden:
    """The hidden tests of a course.

    Args:
        course: The course.

    Raises:
        SandboxUnavailableError: This machine cannot keep a submission from them.
    """

    SAID: Mapping[Language, str] = {"en": "Graded with the hidden tests.", "zh-TW": "以隱藏測試評分。"}

    def __init__(self, course: Path) -> None:
        self._level = chosen(None, Level.CONTAINER)
        self._course = course
        self._key_file = course / FILE_NAME

    def report(self, work: Work, student: str) -> Report:
        """Return the instructor's report.

        Raises:
            UsageError: The course lies where its answers would be looked for.
            GraderError: The course or the grader failed; what it says of that is fit for a student.
        """
        self._keep_apart(work)
        with _unsaid():
            settings = Settings(graded=[prepare(work.assignment)], key=self._key(), backend=self._level)
            taken = work.assignment.manifest.taken
            [found] = discover([work.folder], sorted(taken), "one", caps_for(taken))
            submission = replace(found, id=safe_id(student))
            outcome = grade(submission, settings)
            if outcome.disturbed:
                outcome = grade(submission, settings, outcome.evidence)
            if outcome.course_fault is not None:
                raise CourseError(outcome.course_fault)
            return outcome.report

    def _keep_apart(self, work: Work) -> None:
        inside = self._course.relative_to(work.folder) if work.folder in self._course.parents else None
        if inside is not None and not inside.parts[0].startswith("."):
            raise UsageError(
                "the course lies among the work, and its answers could be taken for the student's",
                where=self._course,
                hint="a folder whose name begins with a dot, such as .course, is never looked into",
            )

    def _key(self) -> bytes:
        """The course key where it is there, as it is in no repository; else one that nobody learns."""
        return course_key(self._key_file, lambda _: None) if self._key_file.exists() else secrets.token_bytes(32)


@contextmanager
def _unsaid() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, its words may come from a hidden test
        raise GraderError(
            f"there is no score: the course could not be graded with ({type(error).__name__}). This is not your fault",
            hint="tell your instructor, who sees the reason with `grader grade` in the course",
        ) from None
