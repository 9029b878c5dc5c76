"""What can go wrong on our side of the trust boundary, and the exit code each kind ends in.

A student's mistake is never one of these: it becomes a `Status` in a report.
"""

from __future__ import annotations

from pathlib import Path

from grader.escape.terminal import line


class GraderError(Exception):
    """Something the reader can act on: what happened, where, and a hint.

    Args:
        message: One sentence saying what happened.
        hint: What to do about it.
        where: The file concerned, with the line where one is known.
        line: The line in that file, counted from 1.
    """

    exit_code = 4

    def __init__(
        self, message: str, *, hint: str = "", where: Path | str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where
        self.line = line

    def __str__(self) -> str:
        place = "" if self.where is None else f"{line(str(self.where))}{f':{self.line}' if self.line else ''}: "
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{place}{self.message}{hint}"


class UsageError(GraderError):
    """The command line asks for something that does not exist or does not fit together."""

    exit_code = 2


class CourseError(GraderError):
    """The course is invalid: a manifest, a lock, a suite, a reference or a template."""

    exit_code = 3


class SandboxUnavailableError(GraderError):
    """This machine cannot give the isolation that was asked for."""

    exit_code = 4
