"""Tests that need nothing of pytest but to be called: its stages around them would take longer than they do.

A test that asks for no more than a judge gives has nothing to set up and nothing to tear down. It is called, and pytest is told what came of
it; any other goes through pytest's own stages.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


class _Report(pytest.TestReport):
    """A report of a plain test, which says what is wrong in words of ours: no terminal has to be made to write them."""

    @property
    def longreprtext(self) -> str:
        """What is wrong."""
        return str(self.longrepr or "")


@contextmanager
def around_all(item: pytest.Item) -> Iterator[None]:
    """Do once around all plain tests of a run what pytest does around each.

    A bare `assert` says what differs, and a warning in the body of a test is noted, and shown to nobody.

    Args:
        item: Any of them.
    """
    comparing: Any = item.config.pluginmanager.get_plugin("assertion")
    with warnings.catch_warnings(record=True), contextmanager(comparing.pytest_runtest_protocol)(item):
        warnings.simplefilter("default")
        yield


def call_plain(item: pytest.Item, run: Callable[[], str | None]) -> pytest.TestReport:
    """Run a plain test, and return what pytest and its plugins are to be told of it.

    Args:
        item: The test.
        run: Runs its body, and returns what is wrong.
    """
    call: pytest.CallInfo[Any] = pytest.CallInfo.from_call(run, "call", reraise=_NOT_KEPT)
    if call.excinfo is None:
        wrong: str | None = call.result
        outcome: Literal["passed", "failed"] = "passed" if wrong is None else "failed"
        return _Report(item.nodeid, item.location, {}, outcome, wrong, "call", duration=call.duration)
    return pytest.TestReport.from_item_and_call(item, call)  # it was skipped, or a fault is ours
