"""The reports: the instructor's, the student's, and the class's summary.

The student's holds nothing of a hidden test but its tier and what became of it: no input, expected
value, seed, source, message, printed text or path.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, Self

from pydantic import Field

from grader.model.evidence import Diagnosis, Flag, HeatMap, IsolationInfo, OutputInfo, TestEvidence
from grader.model.manifest import RubricItem, Strict, Text
from grader.model.verdict import Status, Suite, Tier


class SubmittedFile(Strict):
    """A file that was graded."""

    name: str
    sha256: str
    content: str = Field(description="The file itself, base64: with it and the seeds a test can be run again")

    @classmethod
    def all_of(cls, files: Mapping[str, bytes]) -> list[Self]:
        """Return some files as a report holds them, in the order of their names."""
        return [
            cls(name=name, sha256=sha256(content).hexdigest(), content=base64.b64encode(content).decode())
            for name, content in sorted(files.items())
        ]


class ProblemInfo(Strict):
    """Something about the submission that could not be taken as it is."""

    file: str
    message: str
    hint: str


class SubmissionInfo(Strict):
    """What was handed in."""

    id: str
    source: str = Field(description="The name of the folder or archive, and what it is called in a whole download")
    digest: str = Field(description="SHA-256 over the files that were graded")
    files: list[SubmittedFile]
    ignored: list[str] = Field(default=[], description="Files that no manifest names")
    problems: list[ProblemInfo] = []


class CollectedAnswer(Strict):
    """An answer in words, which a person grades."""

    file: str
    title: Text
    text: str = Field(description="What was handed in; empty where nothing was")
    rubric: list[RubricItem] = Field(default=[], description="What the person looks for, and what it is worth")


class ExerciseReport(Strict):
    """One exercise: what it earned and why."""

    id: str
    title: Text
    status: Status
    score: float | None = Field(description="None where the fault is ours: that is never a 0")
    points: float
    carried: list[str] = Field(
        default=[],
        description="Exercises that this one needs and that were wrong: its points are those it earned with right answers in their place",
    )
    message: str = ""
    diagnosis: Diagnosis | None = None
    also: list[Diagnosis] = Field(
        default=[], description="The mistakes behind other wrong answers of a worksheet, or other edge tests"
    )
    tests: list[TestEvidence]


class AssignmentReport(Strict):
    """One assignment of a submission."""

    id: str
    title: Text
    status: Status
    score: float | None
    points: float
    exercises: list[ExerciseReport]
    collected: list[CollectedAnswer] = Field(
        default=[], description="Answers in words: they earn nothing here, a person grades them"
    )
    flags: list[Flag] = Field(default=[], description="For a person to look at; they cost nothing")
    output: OutputInfo = OutputInfo()
    isolation: IsolationInfo | None = Field(None, description="None where nothing had to be run")
    suite_digest: str = Field(description="SHA-256 over suites, lock, manifest and reference")
    problem: str | None = Field(None, description="What went wrong on our side")


class Report(Strict):
    """The instructor's report on one submission."""

    schema_version: Literal[1] = 1
    grader_version: str
    submission: SubmissionInfo
    status: Status
    score: float | None
    points: float
    assignments: list[AssignmentReport]
    environment: dict[str, str]
    timings: dict[str, float] = Field(description="Seconds; all that may differ between two runs")


class StudentTest(Strict):
    """A visible test in full; of a hidden one only its tier, its status, and where the student's code raised.

    A question of a worksheet has its name too, which its student knows.
    """

    suite: Suite
    tier: Tier
    status: Status
    name: str | None = Field(None, description="Of a visible test its id, of a hidden question what it is called")
    message: str | None = Field(None, description="Visible tests only")
    error: str | None = Field(None, description="The built-in class of the exception that the student's code raised")
    file: str | None = None
    line: int | None = None
    heat_maps: list[HeatMap] = Field(default=[], description="Visible tests only")


class StudentExercise(Strict):
    """One exercise as its student sees it."""

    id: str
    title: Text
    status: Status
    score: float | None
    points: float
    carried: list[str] = []
    message: str = ""
    diagnosis: Diagnosis | None = None
    also: list[Diagnosis] = Field(
        default=[], description="The mistakes behind other wrong answers of a worksheet, or other edge tests"
    )
    tests: list[StudentTest]


class StudentAssignment(Strict):
    """One assignment as its student sees it."""

    id: str
    title: Text
    status: Status
    score: float | None
    points: float
    exercises: list[StudentExercise]


class StudentReport(Strict):
    """The student's report."""

    schema_version: Literal[1] = 1
    grader_version: str
    submission: str
    digest: str
    problems: list[ProblemInfo] = []
    status: Status
    score: float | None
    points: float
    assignments: list[StudentAssignment]


class SummaryRow(Strict):
    """One submission in the summary."""

    id: str
    status: Status
    score: float | None
    points: float
    exercises: dict[str, Status]
    report: str = Field(description="Where the report lies, relative to the summary")


class Summary(Strict):
    """The class at a glance."""

    schema_version: Literal[1] = 1
    grader_version: str
    assignments: list[str]
    points: float
    graded: int
    grader_errors: int
    mean: float | None = Field(description="Of the submissions that have a score")
    submissions: list[SummaryRow]
    interrupted: bool = Field(False, description="Whether the run was stopped before all were graded")
    not_graded: list[str] = Field(default=[], description="Ids of the submissions that have no report of this run")
    left_out: list[str] = Field(
        default=[],
        description="What lay beside the submissions and may be someone's work, but is none as it lies there",
    )
    unmatched: list[str] = Field(default=[], description="Ids of the submissions that are of nobody on the roster")
    absent: list[str] = Field(default=[], description="Who is on the roster, by its ids, and handed in nothing")
    timings: dict[str, float]
