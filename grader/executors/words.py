"""What a node of a cluster says of itself."""

from __future__ import annotations

from pydantic import BaseModel

from grader.sandbox.base import Level

Versions = dict[str, str]


class Seen(BaseModel):
    """What a node is, before it has the course."""

    grader: str
    code: str
    holds: bool
    """Whether it holds the course from before."""


class Fit(BaseModel):
    """What a node gives, once it has the course."""

    environments: dict[str, Versions] = {}
    """The versions that each assignment would be judged with."""
    level: Level | None = None
    """The level that was seen to hold; None where it did not."""
    problem: str = ""
    hint: str = ""
