"""How one exercise stands, once its visible tests have run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.course.lock import LockedTest
from grader.course.place import Place
from grader.model.evidence import Diagnosis, TestEvidence
from grader.model.verdict import Status
from grader.score.rubric import exercise_status, is_worksheet


@dataclass(frozen=True)
class Checked:
    """One exercise, checked.

    Args:
        exercise: Its id.
        tests: Its visible tests, in the order in which they are written.
        diagnoses: The mistakes that have a name: on a worksheet one for each wrong answer, else one or those that show apart at the edges.
        places: Where the exercises of the mistakes are written in the student's files, by exercise.
        files: The student's programs.
        worth: Its points.
        compared: Of a worksheet, the tests that compare an answer with the right one.
        unmet: The first of those that it needs that does not pass, where nothing else says why it fails; empty where there is none.
        printed: What the student's code printed in the run that this is of, in which there may be other exercises.
    """

    exercise: str
    tests: list[TestEvidence]
    diagnoses: list[Diagnosis]
    places: dict[str, list[Place]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    worth: float = 0.0
    compared: frozenset[str] = frozenset()
    unmet: str = ""
    printed: str = field(default="", repr=False)

    @property
    def roots(self) -> list[str]:
        """The exercises in which the mistakes were made: this one, or some that it needs."""
        named = [name for diagnosis in self.diagnoses for name in diagnosis.misconceptions]
        return list(dict.fromkeys(name.partition("/")[0] for name in named))

    @property
    def status(self) -> Status:
        """What became of it, as a report would say it of these tests."""
        return exercise_status(self.locked, {test.id: test.status for test in self.tests})

    @property
    def locked(self) -> list[LockedTest]:
        """Its tests, as a rubric takes them."""
        return [LockedTest(test.suite, test.tier, test.exercise, test.id) for test in self.tests]

    @property
    def failing(self) -> str:
        """The name of the first test that saw something wrong; empty where none did."""
        wrong = (t for t in self.tests if t.status is not Status.PASSED and not t.status.comes_before_tests)
        return next((test.id.partition("::")[2] for test in wrong), "")

    @property
    def is_missing_sheet(self) -> bool:
        """Whether it is a worksheet that is not there yet."""
        return is_worksheet(self.locked) and all(
            test.status is Status.IMPORT_ERROR and test.error is not None and "FileNotFoundError" in test.error.types
            for test in self.tests
        )

    @property
    def passed(self) -> bool:
        """Whether every visible test of it did."""
        return bool(self.tests) and all(test.status is Status.PASSED for test in self.tests)
