"""What is kept in a kit between two commands: how far the student is. It is plain JSON, and safe to delete."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from grader.pipeline.write import as_json, write_atomically

FOLDER = ".rowwise"
HINTS = 3


class State(BaseModel):
    """How far a student is."""

    version: Literal[1] = 1
    current: str | None = Field(None, description="The exercise that `grader watch` shows")
    finished: list[str] = Field(default=[], description="The exercises whose visible tests all passed when last run")
    lost: list[str] = Field(default=[], description="The exercises that were finished, and fail now")
    seen: dict[str, str] = Field(
        default={},
        description="A digest of the code on which an exercise was last run: with other code it is run again",
    )
    failing: dict[str, str] = Field(default={}, description="The first test that saw something wrong at the last check")
    hints: dict[str, int] = Field(default={}, description="How many hints of an exercise were shown")

    def note(self, exercise: str, code: str, *, passed: bool, failing: str = "") -> bool:
        """Note how an exercise stands; return whether it was finished, and now fails.

        It stays among the lost ones until it passes again: nothing that was done is undone without a word.

        Args:
            exercise: Its id.
            code: A digest of the code on which it was run.
            passed: Whether all its visible tests did.
            failing: The first of them that saw something wrong, where one did.
        """
        was = exercise in self.finished
        self.seen[exercise] = code
        self.failing.pop(exercise, None)
        if failing:
            self.failing[exercise] = failing
        if passed:
            self.finished = [*(each for each in self.finished if each != exercise), exercise]
            self.lost = [each for each in self.lost if each != exercise]
        elif was:
            self.finished.remove(exercise)
            self.lost = [*self.lost, exercise]
        return was and not passed

    def owed(self, code: Mapping[str, str]) -> list[str]:
        """Return the exercises that were finished once, and were last run on other code than there is now.

        Args:
            code: A digest of the code of each exercise.
        """
        once = (*self.finished, *self.lost)
        return [name for name in once if name in code and self.seen.get(name, code[name]) != code[name]]

    def one_more_hint(self, exercise: str) -> int:
        """Return how many hints of an exercise may be seen, now that one more was asked for."""
        self.hints[exercise] = min(self.hints.get(exercise, 0) + 1, HINTS)
        return self.hints[exercise]


class Kept:
    """The state on disk.

    Args:
        course: The kit.
    """

    def __init__(self, course: Path) -> None:
        self.path = course / FOLDER / "state.json"
        self.trouble: str | None = None
        self.state = self._read()

    def _read(self) -> State:
        """What is there; what cannot be read is begun anew, and said so in `trouble`."""
        try:
            return State.model_validate_json(self.path.read_bytes())
        except FileNotFoundError:
            return State()
        except (OSError, ValidationError):
            self.trouble = f"{FOLDER}/{self.path.name} cannot be read, so what was finished is counted anew"
            return State()

    def save(self) -> None:
        """Write it down.

        Raises:
            GraderError: The kit cannot be written to.
        """
        write_atomically(self.path, as_json(self.state))
