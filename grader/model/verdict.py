"""The words a verdict is made of, and whose fault each names."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Status(StrEnum):
    """What became of a test, an exercise or a submission.

    The order is the order of precedence: of several causes the first listed is the one to tell.
    """

    GRADER_ERROR = "grader_error"
    IMPORT_ERROR = "import_error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    BLOCKED = "blocked"
    NOT_IMPLEMENTED = "not_implemented"
    FAILED = "failed"
    PARTIAL = "partial"
    PASSED = "passed"

    @property
    def is_ours(self) -> bool:
        """Whether the fault is the grader's: then there is no score at all, not even 0."""
        return self is Status.GRADER_ERROR

    @property
    def comes_before_tests(self) -> bool:
        """Whether its cause lies before any test, so that all tests of an exercise say the same."""
        return self in (Status.GRADER_ERROR, Status.IMPORT_ERROR, Status.NOT_IMPLEMENTED)


_PRECEDENCE = {status: rank for rank, status in enumerate(Status)}


def most_telling(statuses: Iterable[Status]) -> Status:
    """Return the status that explains the others; `FAILED` where there is none, for silence is no pass."""
    return min(statuses, key=_PRECEDENCE.__getitem__, default=Status.FAILED)


class Tier(StrEnum):
    """How a test counts: without every core test an exercise earns nothing; each question earns its own part."""

    CORE = "core"
    EDGE = "edge"
    QUESTION = "question"


class Suite(StrEnum):
    """Visible tests teach, hidden tests decide the score."""

    VISIBLE = "visible"
    HIDDEN = "hidden"


def question_name(test_id: str) -> str:
    """Return what a question is called: of `hidden/test_sheet.py::test_answer[own.q]` the words in brackets, or else the function's name."""
    name = test_id.partition("::")[2]
    return name.partition("[")[2].removesuffix("]") or name
