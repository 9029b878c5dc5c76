"""One run of one test on one submission, and whose fault it is when it ends badly."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Collection
from contextvars import copy_context
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.judge.budget import CallBudget
from grader.judge.proxy import Submission, let_go, log_of
from grader.judge.record import Call, Caller
from grader.judge.sheet import Sheet
from grader.judge.suite import SuiteTest
from grader.model.errors import GraderError
from grader.model.evidence import HeatMap
from grader.model.verdict import Status
from grader.testing.around import Differs
from grader.testing.artifacts import Artifacts
from grader.testing.heat import keep_heat_maps
from grader.testing.student import Cause, StudentError
from grader.testing.telling import Telling, tell
from grader.testing.tolerance import EXACT, Tolerance, widest

# A message tells of a test, and a submission can put all that it returned into one.
_LONGEST_MESSAGE = 2000
_NONE = Artifacts()
_PLAINLY = Telling()


@dataclass(frozen=True)
class Trial:
    """What came of it."""

    status: Status
    message: str = ""
    cause: Cause | None = None
    calls: tuple[Call, ...] = ()
    made: int = 0
    tolerance: Tolerance = EXACT
    seconds: float = 0.0
    heat_maps: tuple[HeatMap, ...] = ()


class Bench:
    """What every trial of an assignment has in common: the reference, and the names of the exercises.

    Args:
        reference: The reference's functions; None in a kit, where tests do without.
        right: Calls the reference as a submission; None in a kit.
        exercises: The ids of the assignment's exercises.
        calls: How many calls one test may make.
        given: The names of the classes that the assignment gives.
        sheet: The student's worksheet, where the assignment has one.
        artifacts: The submission's, where the assignment takes some.
        sound: Those of a right run, with which a test that fails by an error is tried.
        telling: How messages are told.
    """

    def __init__(  # noqa: PLR0913  # most assignments have no worksheet
        self,
        reference: SimpleNamespace | ModuleType | None,
        right: Caller | None,
        exercises: Collection[str],
        calls: float = math.inf,
        given: Collection[str] = (),
        *,
        sheet: Sheet | None = None,
        artifacts: Artifacts = _NONE,
        sound: Artifacts = _NONE,
        telling: Telling = _PLAINLY,
    ) -> None:
        self._telling = telling
        self._sheet = sheet
        self._artifacts = artifacts
        self._sound = sound
        self._reference = reference
        self._right = right
        self._exercises = exercises
        self._calls = calls
        self._given = given

    def with_sheet(self, sheet: Sheet | None) -> Bench:
        """Return the same bench for another student's worksheet."""
        return self._like(sheet=sheet, artifacts=self._artifacts)

    def with_artifacts(self, artifacts: Artifacts) -> Bench:
        """Return the same bench for another run."""
        return self._like(sheet=self._sheet, artifacts=artifacts)

    def _like(self, *, sheet: Sheet | None, artifacts: Artifacts) -> Bench:
        same = self._reference, self._right, self._exercises, self._calls, self._given
        return Bench(*same, sheet=sheet, artifacts=artifacts, sound=self._sound, telling=self._telling)

    def run(self, test: SuiteTest, caller: Caller, seed: int, patience: float = math.inf) -> Trial:
        """Run one test on what `caller` calls, with inputs from `seed`; its calls may take `patience` seconds together."""
        # In a context of its own: what assertions note of this test, such as how close is close, ends with it.
        return copy_context().run(self._run, test, caller, seed, patience)

    def _run(self, test: SuiteTest, caller: Caller, seed: int, patience: float) -> Trial:
        submission = self._submission(caller, patience)
        widest.set(EXACT)
        tell(self._telling)
        shown = keep_heat_maps()
        try:
            status, message, cause = self._judge(test, submission, seed)
        finally:
            let_go(submission)
        log = log_of(submission)
        said = _shortened(message)
        return Trial(status, said, cause, tuple(log.calls), log.made, widest.get(), log.seconds, tuple(shown))

    def _submission(self, caller: Caller, patience: float = math.inf) -> Submission:
        return Submission(caller, self._exercises, patience, CallBudget(self._calls), self._given)

    def _judge(self, test: SuiteTest, submission: Submission, seed: int) -> tuple[Status, str, Cause | None]:
        try:
            self._body(test, submission, seed, self._artifacts)()
        except StudentError as error:
            return error.status, str(error), error.cause
        except (AssertionError, pytest.fail.Exception) as error:
            return Status.FAILED, "\n".join([str(error).partition("\nassert ")[0], *self._detail(error)]), None
        except GraderError as error:
            return Status.GRADER_ERROR, str(error), None
        except Exception as error:  # noqa: BLE001  # sorted out by trying the reference
            return self._blame(test, seed, error)
        return Status.PASSED, "", None

    def _body(self, test: SuiteTest, submission: Submission, seed: int, artifacts: Artifacts) -> Callable[[], Any]:
        given: dict[str, Any] = {
            "submission": submission,
            "reference": self._reference,
            "rng": np.random.default_rng(seed) if test.draws else None,
            "worksheet": self._sheet,
            "artifacts": artifacts,
        }
        return lambda: test.body(**{name: given[name] for name in test.wants})

    def _detail(self, error: BaseException) -> list[str]:
        return error.detail() if self._telling.verbose and isinstance(error, Differs) else []

    def _blame(self, test: SuiteTest, seed: int, error: Exception) -> tuple[Status, str, Cause | None]:
        """Say whose fault an error in the body of a test is: the test's, if the reference meets it too."""
        said = f"{type(error).__name__}: {error}"
        place = traceback.extract_tb(error.__traceback__)[-1]
        # What the test had made is let go: an error of memory would else be met again, and be taken for the test's own.
        traceback.clear_frames(error.__traceback__)
        unusable = f"the test could not use what was returned ({said})"
        if self._right is None:
            return Status.FAILED, unusable, None
        try:
            # In a context of its own too: heat maps of the reference are nobody's.
            copy_context().run(self._try, self._right, test, seed)
        except (Exception, pytest.fail.Exception):  # noqa: BLE001  # any failure of the reference is the course's
            broken = f"the test itself is broken: {said} ({place.filename}, line {place.lineno})"
            return Status.GRADER_ERROR, broken, None
        return Status.FAILED, unusable, None

    def _try(self, right: Caller, test: SuiteTest, seed: int) -> None:
        keep_heat_maps()
        self._body(test, self._submission(right), seed, self._sound)()


def _shortened(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[: _LONGEST_MESSAGE - 1]}…"
