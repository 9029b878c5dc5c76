"""The pytest plugin of a judge: it ties tests to exercises and runs each body on a submission."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, Protocol

import pytest

from grader.judge.plain import around_all, call_plain, is_plain
from grader.judge.suite import GIVEN, SuiteTest, in_order, read_item
from grader.model.errors import CourseError
from grader.model.manifest import Manifest

MARKS = (
    "exercise(id): the exercise that a test belongs to",
    "core: without every core test an exercise earns nothing",
    "edge: edge tests share a fifth of an exercise's points",
    "question: of a worksheet each question earns its own part of the points",
)


class Runner(Protocol):
    """What is done with each collected test."""

    def wanted(self, test: SuiteTest) -> bool:
        """Whether the test is to be run."""
        ...

    def run(self, test: SuiteTest) -> str | None:
        """Run it; return what is wrong, or None where it passed."""
        ...


class JudgePlugin:
    """Collects, orders and runs the tests of an assignment, and keeps pytest's own report beside ours.

    Args:
        manifest: The assignment's.
        runner: What is done with each test; or what gives it, once all tests are collected.
        ended: Called with pytest's exit code when all is told, before pytest tidies up.
    """

    def __init__(
        self,
        manifest: Manifest,
        runner: Runner | Callable[[], Runner],
        ended: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.collected: list[SuiteTest] = []
        self.selected: list[SuiteTest] = []
        self.report: dict[str, Any] = {}
        self.fault: CourseError | None = None
        self.seconds: dict[str, float] = {}
        self._manifest = manifest
        self._ended = ended
        self._awaited = runner if callable(runner) else lambda: runner
        self._runner: Runner | None = None
        self._tests: dict[str, SuiteTest] = {}
        self._plain: set[str] = set()
        self._staged = False

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the marks, so that a mistyped one is an error."""
        for mark in MARKS:
            config.addinivalue_line("markers", mark)

    @pytest.fixture(scope="session")
    def submission(self) -> None:
        """The student's functions; given to the body of the test by the judge."""

    @pytest.fixture(scope="session")
    def reference(self) -> None:
        """The reference solution; likewise."""

    @pytest.fixture(scope="session")
    def rng(self) -> None:
        """A `numpy.random.Generator` with the seed of this test and submission; likewise."""

    @pytest.fixture(scope="session")
    def worksheet(self) -> None:
        """The questions of the assignment's worksheet with this student's numbers; likewise."""

    @pytest.fixture(scope="session")
    def artifacts(self) -> None:
        """The files of the submission that are data; likewise."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read every test's marks."""
        try:
            tests = {
                item.nodeid: read_item(item, self._manifest) for item in items if isinstance(item, pytest.Function)
            }
        except CourseError as error:
            self.fault = error
            items.clear()
            return
        self.collected = list(tests.values())
        self._plain = {item.nodeid for item in items if is_plain(item)}
        self._tests = {
            locked.id: tests[locked.id] for locked in in_order([test.locked for test in self.collected], self._manifest)
        }

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run the tests that the runner wants, in order, where all are plain; else leave them for pytest's own loop."""
        # It has shown nobody anything, and would go on to format a line for each stage of each test.
        session.config.pluginmanager.unregister(name="terminalreporter")
        self._runner = runner = self._awaited()
        self.selected = [test for test in self._tests.values() if runner.wanted(test)]
        items = {item.nodeid: item for item in session.items}
        chosen = [items.pop(test.id) for test in self.selected]
        session.config.hook.pytest_deselected(items=list(items.values()))
        session.items[:] = chosen
        if session.testsfailed or not chosen or not self._plain.issuperset(item.nodeid for item in chosen):
            return None  # where a file could not be collected, that loop ends the session
        with around_all(chosen[0]):
            reports = [
                call_plain(item, partial(self._run, test)) for item, test in zip(chosen, self.selected, strict=True)
            ]
        # Not after each: what the plugins do takes half as long where nothing else is done in between.
        for report in reports:
            session.config.hook.pytest_runtest_logreport(report=report)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Function, nextitem: pytest.Item | None) -> bool | None:
        """Run a test that needs none of pytest's stages, among others that do."""
        if item.nodeid not in self._plain:
            self._staged = True
            return None
        report = call_plain(item, partial(self._run, self._tests[item.nodeid]))
        item.config.hook.pytest_runtest_logreport(report=report)
        if self._staged:  # what another test had set up for its whole file ends where pytest would end it
            item.config.hook.pytest_runtest_teardown(item=item, nextitem=nextitem)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Run the body on a submission, in place of pytest's own call."""
        wrong = self._run(self._with_fixtures(pyfuncitem))
        if wrong is not None:
            pytest.fail(wrong, pytrace=False)
        return True

    def _run(self, test: SuiteTest) -> str | None:
        started = time.perf_counter()
        assert self._runner  # noqa: S101  # the loop has one
        wrong = self._runner.run(test)
        self.seconds[test.id] = time.perf_counter() - started
        return wrong

    def _with_fixtures(self, item: pytest.Function) -> SuiteTest:
        """The test with the suite's own fixtures bound that its body takes; what the judge gives stays open."""
        taken = [name for name in signature(item.obj).parameters if name in item.funcargs and name not in GIVEN]
        return self._tests[item.nodeid].bind({name: item.funcargs[name] for name in taken})

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Keep the report of pytest-json-report."""
        self.report = json_report

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Say that the session is over."""
        self._ended(exitstatus)
