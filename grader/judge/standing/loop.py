"""pytest's loop, gone round once for each job on what was collected once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from grader.judge.plugin import JudgePlugin, Runner
from grader.model.errors import CourseError
from grader.model.manifest import Manifest


class LoopPlugin(JudgePlugin):
    """Hands over once the tests are collected, and runs them as often as it is asked to.

    Args:
        manifest: The assignment's.
        jobs: What is called in pytest's loop, with this; it calls `run`.
    """

    def __init__(self, manifest: Manifest, jobs: Callable[[LoopPlugin], None]) -> None:
        super().__init__(manifest, _nobody)
        self._jobs = jobs
        self._items: dict[str, pytest.Item] = {}
        self._outcomes: list[dict[str, Any]] = []
        self._broken: str | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Take the place of pytest's own loop, unless the collection failed: that loop then ends the session."""
        if session.testsfailed or self.fault is not None:
            return None
        self._items = {item.nodeid: item for item in session.items}
        self._jobs(self)
        return True

    def run(self, runner: Runner) -> None:
        """Run the tests that a runner wants, in order; what came of it stands in `selected`, `report` and `seconds`.

        Raises:
            CourseError: A test cannot be run, whatever the submission.
        """
        self._runner = runner
        self.seconds, self._outcomes, self._broken = {}, [], None
        self.selected = [test for test in self._tests.values() if runner.wanted(test)]
        chosen = [self._items[test.id] for test in self.selected]
        for item, following in pairwise([*chosen, None]):
            assert item  # noqa: S101  # only the last has none after it
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if self._broken:
            raise CourseError(f"a test cannot be run: {self._broken}")
        self.report = {"tests": self._outcomes}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep pytest's own outcome beside ours."""
        if report.when == "call":
            self._outcomes.append({"nodeid": report.nodeid, "outcome": report.outcome})
        elif report.failed:
            self._broken = self._broken or f"{report.nodeid}: {report.longreprtext[-500:]}"


def _nobody() -> Runner:
    raise AssertionError("the loop has a runner of its own for each job")
