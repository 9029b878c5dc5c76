"""`expect.toml`: what must become of an attack, level by level, as typed data."""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from grader.model.manifest import Strict
from grader.model.verdict import Status
from grader.sandbox.base import Level

About = Literal["secrets", "forging", "resources", "escape", "intake", "report"]
ProbeName = Literal[
    "secret",
    "breach",
    "marker",
    "connection",
    "victim",
    "survivor",
    "neighbour",
    "input",
    "control",
    "gain",
]
ABOUTS: tuple[About, ...] = get_args(About)


class Words(Strict):
    """A few words for some of the levels."""

    full: str | None = Field(None, min_length=1)
    container: str | None = Field(None, min_length=1)
    weak: str | None = Field(None, min_length=1)
    none: str | None = Field(None, min_length=1)

    def at(self, level: Level) -> str | None:
        """Return the words for a level; None where there are none."""
        words: str | None = getattr(self, level.value)
        return words


class Otherwise(Strict):
    """What differs at one level."""

    status: Status | None = None
    score: float | None = None


class OtherLevels(Strict):
    """What differs, by level."""

    full: Otherwise = Otherwise()
    container: Otherwise = Otherwise()
    weak: Otherwise = Otherwise()
    none: Otherwise = Otherwise()

    def at(self, level: Level) -> Otherwise:
        """Return what differs at a level."""
        differs: Otherwise = getattr(self, level.value)
        return differs


class Expectation(Strict):
    """What must become of one attack."""

    about: About
    title: str = Field(min_length=1, description="What is attempted, in a few words")
    harmless: bool = Field(description="Whether it may run unheld on a person's own machine")
    probe: ProbeName = Field(description="What must not have happened")
    status: Status
    score: float = Field(ge=0)
    held: Words = Field(Words(), description="By what it is stopped, for each level that stops it")
    happens: Words = Field(Words(), description="What happens, for each level that does not stop it")
    at: OtherLevels = OtherLevels()

    def verdict(self, level: Level) -> tuple[Status, float]:
        """Return the status and the points that the submission must get at a level."""
        other = self.at.at(level)
        return other.status or self.status, self.score if other.score is None else other.score

    @model_validator(mode="after")
    def _names_every_level_once(self) -> Self:
        for level in Level:
            told = [name for name in ("held", "happens") if getattr(self, name).at(level) is not None]
            if len(told) != 1:
                raise ValueError(
                    f"level `{level}` is in {' and '.join(told) or 'neither held nor happens'}: name it once"
                )
        return self
