"""Run pytest in this process, on the suites of one assignment, with a fixed set of plugins."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from grader.course.assignment import Assignment
from grader.judge.longrepr import shortened
from grader.judge.plugin import JudgePlugin
from grader.model.errors import CourseError
from grader.model.verdict import Suite

_INI = Path(__file__).with_name("pytest.ini")
# Plugins that would read or write the disk, slow the run, or let a test's outcome be something else.
_OFF = (
    "cacheprovider",
    "unraisableexception",
    "threadexception",
    "faulthandler",
    "logging",
    "capture",
    "doctest",
    "junitxml",
    "setuponly",
    "setupplan",
    "stepwise",
    "subtests",
    "tmpdir",
)
_ON = ("pytest_metadata.plugin", "pytest_jsonreport.plugin")


def run_pytest(assignment: Assignment, suites: Sequence[Suite], plugin: JudgePlugin) -> None:
    """Collect the suites and run them through `plugin`, which holds the report afterwards.

    Raises:
        CourseError: A suite is missing, cannot be collected, or marks its tests wrongly.
    """
    folders = [assignment.suite(suite) for suite in suites]
    for folder in folders:
        if not folder.is_dir():
            raise CourseError(
                "there is no such suite",
                where=folder,
                hint="an assignment has visible/test_*.py and hidden/test_*.py; a kit has the visible ones",
            )
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    arguments = [
        "-c",
        str(_INI),
        "--rootdir",
        str(assignment.folder),
        "--noconftest",
        "--import-mode=importlib",
        "--strict-markers",
    ]
    arguments += [f"-pno:{name}" for name in _OFF] + [f"-p{name}" for name in _ON]
    arguments += ["--json-report", "--json-report-file=none", "--json-report-omit", "log", "streams", "keywords"]
    arguments += ["--", *map(str, folders)]
    # What pytest prints is for nobody: the judge reads the report and its own record.
    with contextlib.redirect_stdout(io.StringIO()), _leaving_no_bytecode(assignment):
        exit_code = pytest.main(arguments, plugins=[plugin])
    refuse_faults(assignment, plugin, exit_code)


@contextlib.contextmanager
def _leaving_no_bytecode(assignment: Assignment) -> Iterator[None]:
    """Keep pytest's compiled tests out of a kit: it is the student's folder, which they may hand in or keep under git."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = before or assignment.is_kit
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def refuse_faults(assignment: Assignment, plugin: JudgePlugin, exit_code: int) -> None:
    """Look for faults of the course in what came of a run.

    Raises:
        CourseError: As for `run_pytest`.
    """
    if plugin.fault is not None:
        raise plugin.fault
    for collector in plugin.report.get("collectors", []):
        if collector["outcome"] != "passed":
            said = shortened(collector["longrepr"], assignment.course)
            raise CourseError(f"a suite cannot be collected: {said}", where=collector["nodeid"])
    for test in plugin.report.get("tests", []):
        # The bodies of tests are run by us: what fails around one is the suite's own, such as a fixture that does not exist.
        if test["outcome"] == "error":
            said = next(
                test[stage]["longrepr"]
                for stage in ("setup", "teardown")
                if test.get(stage, {}).get("outcome") == "failed"
            )
            raise CourseError(f"a test cannot be run: {shortened(said, assignment.course)}", where=test["nodeid"])
    if exit_code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise CourseError(f"pytest ended with exit code {int(exit_code)} on the suites of this assignment")
    if exit_code == pytest.ExitCode.NO_TESTS_COLLECTED and not plugin.collected:
        raise CourseError("the suites of this assignment hold no tests")
