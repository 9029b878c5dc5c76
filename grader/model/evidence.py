"""What a judge brings home from one submission to one assignment: all that a score is computed from."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, FiniteFloat, model_validator

from grader.model.manifest import Strict
from grader.model.verdict import Status, Suite, Tier


class Spot(Strict):
    """A line of a submission."""

    file: str
    line: int


class ErrorInfo(Strict):
    """An exception of the student's code, or what ended its process."""

    types: list[str] = Field(default=[], description="Names of the exception's classes, most derived first")
    message: str = ""
    file: str | None = None
    line: int | None = None
    way: list[Spot] = Field(
        default=[], max_length=6, description="The student's own lines on the way there, the outermost first"
    )

    @property
    def lines(self) -> list[Spot]:
        """The student's own lines on the way to the error, that in which it was raised last."""
        last = [Spot(file=self.file, line=self.line)] if self.file and self.line else []
        return [*(spot for spot in self.way if spot not in last), *last]


class Carried(Strict):
    """The same test once more, with right answers in the place of exercises that were needed and wrong."""

    needs: list[str] = Field(description="The exercises whose functions were the reference's")
    status: Status
    message: str = ""
    error: ErrorInfo | None = None
    calls: int = Field(0, description="Calls into the submission")


# As many rows, and as many columns, as a reader takes in.
MOST_CELLS = 16
Row = Annotated[list[FiniteFloat | None], Field(min_length=1, max_length=MOST_CELLS)]
Matrix = Annotated[list[Row], Field(min_length=1, max_length=MOST_CELLS)]


class HeatMap(Strict):
    """A matrix that a visible test looked at, beside the right one: public inputs only."""

    what: str = Field(max_length=200, description="What it is called")
    got: Matrix = Field(description="The submission's; null stands for what is not finite")
    right: Matrix

    @model_validator(mode="after")
    def _is_rectangular(self) -> Self:
        if any(len({len(row) for row in matrix}) != 1 for matrix in (self.got, self.right)):
            raise ValueError("the rows of a matrix are of one length")
        return self


class TestEvidence(Strict):
    """One test that ran, or that was not run for the reason its status gives."""

    __test__ = False  # a name pytest would collect

    id: str
    suite: Suite
    tier: Tier
    exercise: str
    status: Status
    message: str = ""
    error: ErrorInfo | None = None
    seed: int = Field(description="The seed of the test's inputs")
    calls: int = Field(0, description="Calls into the submission")
    carried: Carried | None = Field(None, description="What became of it once the exercises it needs were right")
    heat_maps: list[HeatMap] = Field(default=[], max_length=4, description="Visible tests only")


class Explanation(Strict):
    """A named mistake in one language."""

    name: str
    why: str
    hint: str


class Diagnosis(Strict):
    """The misconception, or pair of them, that reproduces what an exercise's tests recorded."""

    exercise: str
    misconceptions: list[str] = Field(min_length=1, max_length=2)
    en: list[Explanation]
    zh_tw: list[Explanation] = Field(alias="zh-TW")
    calls: int = Field(description="Recorded calls that it reproduces")
    separating: int = Field(description="Of these, calls on which the right answer is at least 100 tolerances away")
    questions: list[str] = Field(default=[], description="Of a worksheet, the questions whose answers it explains")

    def explained(self, language: str) -> list[tuple[str, Explanation]]:
        """Return each misconception with its words in one language, `en` or `zh-TW`."""
        words = self.zh_tw if language == "zh-TW" else self.en
        return list(zip(self.misconceptions, words, strict=True))


class Flag(Strict):
    """Something in the source that a person should look at. It costs nothing."""

    file: str
    line: int
    name: str


class IsolationInfo(Strict):
    """What was observed to hold between the student's code and the machine."""

    level: str
    guarantees: dict[str, bool]
    findings: list[str]
    kernel: str
    landlock_abi: int


class OutputInfo(Strict):
    """What the student's code printed. It is shown, never read."""

    text: str = ""
    truncated: bool = False


class Evidence(Strict):
    """All that one judge found out."""

    assignment: str
    tests: list[TestEvidence] = []
    diagnoses: list[Diagnosis] = []
    flags: list[Flag] = []
    output: OutputInfo = OutputInfo()
    isolation: IsolationInfo | None = None
    environment: dict[str, str] = {}
    problem: str | None = Field(None, description="What went wrong on our side; then nothing here is a verdict")
    course_fault: bool = Field(False, description="Whether the problem is the course's: a suite, a lock, a reference")
    wall_overrun: bool = Field(False, description="Whether a call ran out of wall time with processor time unspent")
    worker_killed: bool = Field(False, description="Whether a worker was killed by neither the grader nor a limit")
    timings: dict[str, float] = Field(
        default={}, description="Wall-clock seconds by test and by stage, and what a call had used that was stopped"
    )
