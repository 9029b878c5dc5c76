"""What a grader asks of its warm judges, and what it is told."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field

from grader.model.verdict import Suite
from grader.sandbox.base import Level


class Wanted(BaseModel):
    """A request for a keeper; the descriptor that comes with it is its connection."""

    assignment: Path
    suites: list[Suite]
    backend: Level


class Had(BaseModel):
    """The answer: the keeper's process, or why there is none."""

    pid: int = 0
    problem: str = ""
    course_fault: bool = False


class Ended(BaseModel):
    """What is told of a judge that ended; what it said follows, as it said it."""

    status: int = Field(0, description="Its status, as a parent is told")
    size: int = Field(0, description="KiB of the keeper's memory")
