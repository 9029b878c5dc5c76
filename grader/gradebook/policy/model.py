"""`policy.toml`: what a course decides about time, attempts and points, as typed data. It lies beside the gradebook, for both are one term's."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator, model_validator

from grader.model.manifest import Identifier, Strict

FILE_NAME = "policy.toml"
StudentId = Annotated[str, Field(min_length=1, max_length=200)]
Points = Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)]


class LatePolicy(Strict):
    """What lateness costs. A day is 24 hours from the due time on, whatever the clocks do; a day that has begun counts."""

    grace_minutes: int = Field(0, ge=0, le=10_080, description="Minutes after the due time that are not late")
    percent_per_day: float = Field(0, ge=0, le=100, description="What each day late takes of what was earned")
    bank: bool = Field(True, description="Whether days of the bank may be used")
    cut_off_days: float | None = Field(None, ge=0, le=3650, description="After so many days nothing is taken any more")


class AssignmentPolicy(Strict):
    """What holds for one assignment."""

    due: datetime | None = Field(None, description="When it is due, the second itself included; None: never late")
    late: LatePolicy | None = Field(None, description="Its own late policy")
    attempts: Literal["best", "latest"] | None = Field(None, description="Its own rule of which attempt counts")
    bonus: bool = Field(False, description="Whether its points count, but are not asked for")
    cap: Points | None = Field(None, description="The most points that it may count")
    release: datetime | None = Field(None, description="When students may see it; None: when it is released by hand")


class StudentPolicy(Strict):
    """What holds for one student."""

    excused: list[Identifier] = Field(default=[], description="Assignments that are not asked for")
    extensions: dict[Identifier, datetime] = Field(default={}, description="Due times of their own, by assignment")
    bonus: dict[Identifier, Points] = Field(default={}, description="Points on top, by assignment")
    bank_days: int | None = Field(None, ge=0, le=365, description="Their own bank")


class Group(Strict):
    """Students who hand in together: what one hands in counts for all."""

    members: list[StudentId] = Field(min_length=2)
    assignments: list[Identifier] = Field(default=[], description="Where they do; everywhere where empty")

    def works_on(self, assignment: str) -> bool:
        """Whether they hand an assignment in together."""
        return not self.assignments or assignment in self.assignments


class Policy(Strict):
    """All that is decided for a course."""

    timezone: str = Field("UTC", description="The zone of times that name none, such as Asia/Taipei")
    late: LatePolicy = LatePolicy()
    attempts: Literal["best", "latest"] = Field("latest", description="Which attempt counts")
    bank_days: int = Field(0, ge=0, le=365, description="Days late that cost a student nothing, over all assignments")
    drop_lowest: int = Field(0, ge=0, le=100, description="How many assignments do not count: those with the least")
    assignments: dict[Identifier, AssignmentPolicy] = {}
    students: dict[StudentId, StudentPolicy] = {}
    groups: list[Group] = []

    @field_validator("timezone")
    @classmethod
    def _exists(cls, name: str) -> str:
        try:
            zone(name)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"there is no time zone {name!r}; one is Asia/Taipei") from error
        return name

    @model_validator(mode="after")
    def _has_everybody_in_one_group(self) -> Self:
        for number, group in enumerate(self.groups):
            if twice := [name for name, times in Counter(group.members).items() if times > 1]:
                raise ValueError(f"{twice[0]!r} is twice in one group")
            for other in self.groups[:number]:
                both = sorted({*group.members} & {*other.members})
                if both and _meet(group, other):
                    raise ValueError(f"{both[0]!r} is in two groups for one assignment")
        return self

    @property
    def named(self) -> set[str]:
        """The students for whom something is said."""
        return {*self.students, *(member for group in self.groups for member in group.members)}

    def of(self, assignment: str) -> AssignmentPolicy:
        """Return what holds for an assignment; the usual where nothing is said."""
        return self.assignments.get(assignment, AssignmentPolicy())

    def of_student(self, student: str) -> StudentPolicy:
        """Return what holds for a student; the usual where nothing is said."""
        return self.students.get(student, StudentPolicy())

    def late_for(self, assignment: str) -> LatePolicy:
        """Return the late policy of an assignment."""
        return self.of(assignment).late or self.late

    def team(self, student: str, assignment: str) -> list[str]:
        """Return with whom a student hands in, themselves included."""
        found = (each.members for each in self.groups if student in each.members and each.works_on(assignment))
        return next(found, [student])

    def due(self, student: str, assignment: str) -> int | None:
        """Return when something is due, in seconds since 1970; None where it is never late."""
        when = self.of_student(student).extensions.get(assignment, self.of(assignment).due)
        return None if when is None else self.instant(when)

    def instant(self, when: datetime) -> int:
        """Return a time in seconds since 1970. Where clocks show an hour twice, or leave it out, it is the later of what may be meant."""
        if when.tzinfo:
            return int(when.timestamp())
        return max(int(when.replace(tzinfo=zone(self.timezone), fold=fold).timestamp()) for fold in (0, 1))


def zone(name: str) -> tzinfo:
    """Return a time zone. UTC is known where a system has no list of zones."""
    return UTC if name == "UTC" else ZoneInfo(name)


def _meet(one: Group, other: Group) -> bool:
    return not one.assignments or not other.assignments or bool({*one.assignments} & {*other.assignments})
