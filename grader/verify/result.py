"""What `verify` found, as plain data that crosses from its process to the command."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.course.lock import LockedTest


@dataclass
class Mistake:
    """A misconception or variant: which hidden tests catch it, and what it is named as."""

    id: str
    label: str
    exercise: str
    is_variant: bool
    caught_by: list[str]
    named: list[str]


@dataclass
class Result:
    """All that was found about one assignment.

    `idle` are the hidden tests that catch no mistake alone, `blind` those of them in which no mistake even shows.
    """

    assignment: str
    tests: list[LockedTest]
    right: list[str]
    mistakes: list[Mistake]
    problems: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)
    seeds: int = 1
    seconds: float = 0.0
