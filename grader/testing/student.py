"""What a test sees when the student's code does not return."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.verdict import Status
from grader.testing.telling import say
from grader.words import tests as words


@dataclass(frozen=True)
class Cause:
    """What the worker said, or what became of it.

    Args:
        types: Names of the exception's classes, most derived first; empty where nothing was raised.
        message: The exception's text, or what happened to the process.
        file: The student's file in which it happened.
        line: The line in that file, counted from 1.
        note: What else the judge saw that may be the reason.
        way: File and line of each of the student's own lines on the way there, the outermost first.
    """

    types: tuple[str, ...] = ()
    message: str = ""
    file: str | None = None
    line: int | None = None
    note: str = ""
    way: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        place = say(words.PLACE, file=self.file, line=self.line) if self.file and self.line else ""
        note = f"; {self.note}" if self.note else ""
        return f"{f'{self.types[0]}: ' if self.types else ''}{self.message}{place}{note}"


class StudentError(Exception):
    """The student's code raised, hung, or took its process down: never the grader's fault."""

    def __init__(self, status: Status, cause: Cause) -> None:
        super().__init__(str(cause))
        self.status = status
        self.cause = cause

    def is_a(self, name: str) -> bool:
        """Whether the student's exception is of the class called `name` or derived from it."""
        return self.status is Status.FAILED and name in self.cause.types
