"""What a person fills in."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from grader.model.manifest import Strict

FILE_NAME = "review.toml"
Open = Literal[""]


def _no_flag(given: object) -> object:
    """TOML's `true` would count as one point."""
    if isinstance(given, bool):
        raise ValueError("a number, not true or false")  # noqa: TRY004  # pydantic makes a complaint of this one
    return given


Points = Annotated[float | Open, BeforeValidator(_no_flag)]


class FilledAnswer(Strict):
    """An answer in words, with the points that a person gave."""

    student: str
    assignment: str
    file: str
    read: str = Field(description="Which text this is about, as a digest: it is written by the grader")
    comment: str = Field("", description="What the student is to read")
    points: dict[str, Points] = Field(default={}, description='By the items of the rubric; "" where still open')

    @property
    def place(self) -> tuple[str, str, str]:
        """What it is about."""
        return (self.student, self.assignment, self.file)

    @property
    def is_filled(self) -> bool:
        """Whether a person wrote something."""
        return bool(self.comment.strip()) or any(given != "" for given in self.points.values())


class FilledCase(Strict):
    """Something that was flagged, with what a person decided."""

    student: str
    assignment: str
    exercise: str = Field("", description="Empty for the whole assignment")
    about: str
    score: Points = Field("", description="In the place of the grader's; empty where that is to stand")
    comment: str = Field("", description="What the student is to read")
    reason: str = Field("", description="Why, for whoever asks later")

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What it is about."""
        return (self.student, self.assignment, self.exercise, self.about)

    @property
    def is_filled(self) -> bool:
        """Whether a person wrote something."""
        return self.score != "" or bool(self.comment.strip())


class Review(Strict):
    """The file: who decides, and about what."""

    author: str = Field("", description="Who decides")
    answers: list[FilledAnswer] = []
    cases: list[FilledCase] = []
