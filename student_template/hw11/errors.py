"""What the reader of a message can mend."""

from __future__ import annotations


class HomeworkError(Exception):
    """Something that the user of the program can mend.

    Args:
        message: What is wrong, and where.
        hint: What to do about it.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.args[0]}\nhint: {self.hint}"
