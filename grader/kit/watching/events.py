"""What happens while somebody watches."""

from __future__ import annotations

from dataclasses import dataclass

from grader.kit.checked import Checked


@dataclass(frozen=True)
class Key:
    """A key was pressed."""

    char: str


@dataclass(frozen=True)
class Changed:
    """Something in the folder with the student's files may have changed."""


@dataclass(frozen=True)
class Done:
    """A request was judged.

    Args:
        number: Of the request.
        found: What came of all exercises that were run.
        seconds: How long it took.
        problem: What is ours and kept it from being judged.
    """

    number: int
    found: tuple[Checked, ...] = ()
    seconds: float = 0.0
    problem: str = ""


Event = Key | Changed | Done
