"""How work is graded: a report on it, whichever tests it is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from grader.ci.work import Work
from grader.export.words import Language
from grader.model.report import Report


class Suite(Protocol):
    """Tests to grade with."""

    # What to say of the score that they give.
    SAID: Mapping[Language, str]

    def report(self, work: Work, student: str) -> Report:
        """Return the instructor's report; what a student may see of it is for others to choose.

        Raises:
            GraderError: Nothing could be graded by a fault that is not the student's. It tells nothing that they may not know.
        """
        ...
