"""What a judge is asked to do. It goes to the judge's standard input, so that no secret stands in a command line."""

from __future__ import annotations

from pathlib import Path

from pydantic import Base64Bytes, Field

from grader.model.manifest import Strict
from grader.model.verdict import Suite


class Job(Strict):
    """One submission to one assignment."""

    assignment: Path = Field(description="The assignment's folder")
    files: dict[str, Base64Bytes] = Field(description="The submission's files")
    artifacts: dict[str, Base64Bytes] = Field(default={}, description="Files of the submission that are data")
    refused: dict[str, str] = Field(
        default={}, description="The files that are there and could not be taken, each with the reason"
    )
    student: str | None = Field(
        None, description="Whose submission it is; where nobody says, whoever its worksheet says that it is"
    )
    suites: list[Suite] = [Suite.VISIBLE, Suite.HIDDEN]
    exercises: list[str] = Field(default=[], description="Only these exercises and what they need; all where empty")
    settled: list[str] = Field(
        default=[], description="Exercises that others need, and that passed on the same code: they are not run again"
    )
    tests: list[str] = Field(default=[], description="Only these tests; all where empty")
    seeds: dict[str, int] = Field(default={}, description="The seeds of the hidden tests, by test id")
    locked: bool = Field(True, description="Whether the collected tests must be those of tests.lock")
    verbose: bool = Field(False, description="Whether messages hold the entries around the first that differs")
    language: str = Field("en", description="The language of messages, `en` or `zh-TW`")
    backend: str = Field("full", description="The sandbox to use")
