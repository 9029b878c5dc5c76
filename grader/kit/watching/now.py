"""What a watch knows at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from grader.course.assignment import Assignment
from grader.kit.check import read_files, working_folder
from grader.kit.checked import Checked
from grader.kit.lesson import Step
from grader.kit.slips import require_packages
from grader.kit.state import Kept
from grader.kit.watching.events import Done
from grader.kit.watching.judging import Asked
from grader.kit.watching.view import Line
from grader.model.errors import GraderError

Shown = Literal["exercise", "list", "picture"]


@dataclass
class Now:
    """One exercise, and how it stands.

    Args:
        lesson: All exercises, in order.
        kept: How far the student is.
        here: The working folder.
        language: `en` or `zh-TW`.
        step: The exercise on the screen.
        shown: What is shown of it.
        note: What is said below it: an answer to a key, or what went wrong.
        in_doubt: Whether a reset was asked for and is not confirmed yet.
        files: The student's files as they were last read, by assignment.
        checked: What came of the exercises that were judged.
        waiting: What the judge was asked and has not answered, by number.
        last: Its last answer.
        last_at: When it came, in words.
    """

    lesson: Sequence[Step]
    kept: Kept
    here: Path
    language: str
    step: Step
    shown: Shown = "exercise"
    note: list[Line] = field(default_factory=list)
    in_doubt: bool = False
    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    checked: dict[str, Checked] = field(default_factory=dict)
    waiting: dict[int, Asked] = field(default_factory=dict)
    last: Done | None = None
    last_at: str = ""

    @property
    def folder(self) -> Path | None:
        """Where the files of the exercise on the screen lie."""
        return working_folder(self.here, self.step.assignment.course, self.step.assignment)

    @property
    def finished(self) -> list[str]:
        """The exercises that are finished, in order."""
        return [step.id for step in self.lesson if step.id in self.kept.state.finished]

    def say(self, text: str) -> None:
        """Say what went wrong, line by line."""
        self.note = [Line(line, "failed") for line in text.splitlines()]

    def read(self, assignment: Assignment) -> dict[str, bytes]:
        """Return the student's files as they are now."""
        folder = working_folder(self.here, assignment.course, assignment)
        try:
            return read_files(assignment, folder) if folder else {}
        except OSError:  # an editor is putting another file in its place: there will be one more event
            return dict(self.files.get(assignment.id, {}))


def lacking(assignment: Assignment) -> str:
    """Return what to say where a package is missing that an assignment needs; empty where none is."""
    try:
        require_packages(assignment)
    except GraderError as error:
        return str(error)
    return ""
