"""Tests that need nothing of pytest but to be called: its stages around them would take longer than they do.

A test that asks for no more than a judge gives has nothing to set up and nothing to tear down. It is called, and pytest is told what came of
it; any other goes through pytest's own stages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest

from grader.judge.suite import GIVEN

_OWN_MARKS = frozenset(("exercise", "core", "edge", "question"))
_NOT_KEPT = (KeyboardInterrupt, pytest.exit.Exception)


def is_plain(item: pytest.Item) -> bool:
    """Whether a test has no fixtures and no marks but the judge's own."""
    return (
        type(item) is pytest.Function
        and item.cls is None
        and not hasattr(item, "callspec")
        and set(item.fixturenames) <= set(GIVEN)
        and all(mark.name in _OWN_MARKS for mark in item.iter_markers())
    )


def call_plain(item: pytest.Item, run: Callable[[], str | None]) -> None:
    """Run a plain test, and report it to pytest and its plugins.

    Args:
        item: The test.
        run: Runs its body, and returns what is wrong.
    """
    call: pytest.CallInfo[Any] = pytest.CallInfo.from_call(run, "call", reraise=_NOT_KEPT)
    if call.excinfo is None:
        wrong: str | None = call.result
        outcome: Literal["passed", "failed"] = "passed" if wrong is None else "failed"
        report = pytest.TestReport(item.nodeid, item.location, {}, outcome, wrong, "call", duration=call.duration)
    else:  # it was skipped, or a fault is ours
        report = pytest.TestReport.from_item_and_call(item, call)
    item.config.hook.pytest_runtest_logreport(report=report)
