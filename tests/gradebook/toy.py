"""Results as a run would keep them."""

from __future__ import annotations

from pathlib import Path

from grader.gradebook.book import Book
from grader.gradebook.keeping import keep
from grader.gradebook.results import Dated, Key, Result, Score
from grader.gradebook.runs import begin
from grader.model.evidence import Evidence, TestEvidence
from grader.model.verdict import Status, Suite, Tier


def evidence(status: Status = Status.PASSED, message: str = "") -> Evidence:
    test = TestEvidence(
        id="t", suite=Suite.HIDDEN, tier=Tier.CORE, exercise="toy.double", status=status, message=message, seed=2**63
    )
    return Evidence(assignment="toy", tests=[test], timings={"t": 0.1})


def key(student: str = "ada", files: str = "f1", ground: str = "g", assignment: str = "toy") -> Key:
    return Key(f"{ground}/{student}/{assignment}/{files}", ground, student, assignment, files)


def score(earned: float = 8.0, points: float = 10.0, status: str = "partial") -> Score:
    return Score(status, earned, points, {"toy.double": {"status": status, "score": earned, "points": points}})


def dated(submitted: int = 1000, by: str = "file") -> Dated:
    return Dated("folder", submitted, by)


class Filled:
    """A gradebook with a run at work."""

    def __init__(self, path: Path) -> None:
        self.book = Book(path)
        self.run = self.begin()

    def begin(self, ground: str = "g", **parts: object) -> int:
        self.run = begin(self.book, "0", {}, {ground: parts})
        return self.run

    def add(
        self,
        which: Key | None = None,
        earned: float | None = 8.0,
        at: Dated | None = None,
        found: Evidence | None = None,
        **options: bool,
    ) -> None:
        result = Result(which or key(), found or evidence(), None if earned is None else score(earned))
        keep(self.book, self.run, [result], at or dated(), **options)
