"""Run an assignment's suites on callers in this process, and keep every call: what `verify` sees, for tests to look at."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.collect import run_pytest
from grader.judge.direct import Source
from grader.judge.plugin import JudgePlugin
from grader.judge.sources import sources_of
from grader.judge.suite import SuiteTest
from grader.judge.trial import Trial
from grader.model.verdict import Suite
from grader.verify.ground import Ground
from grader.verify.matrix import verify_seed
from grader.verify.subjects import Subject
from tests.conftest import ROOT

# Every mistake and right answer of `efficient` goes through 8192 tokens.
ASSIGNMENTS = (
    *("attention", "context", "masking", "positions", "shapes"),
    pytest.param("efficient", marks=pytest.mark.slow),
)


@dataclass
class Listener:
    """A `Runner` that keeps what became of each test on each subject that it concerns."""

    ground: Ground
    subjects: Sequence[Subject]
    wants: Callable[[LockedTest], bool]
    heard: dict[str, list[tuple[LockedTest, Trial]]] = field(default_factory=dict)

    def wanted(self, test: SuiteTest) -> bool:
        """Those that are asked for."""
        return self.wants(test.locked)

    def run(self, test: SuiteTest) -> None:
        """Run the test on every subject that it concerns."""
        for subject in self.subjects:
            if subject.concerns(test.locked.exercise):
                trial = self.ground.bench(0).run(test, subject.caller, verify_seed(0, test))
                self.heard.setdefault(subject.name, []).append((test.locked, trial))


def reference_of(assignment: str) -> list[Source]:
    """Return the modules of the reference."""
    return sources_of(load_assignment(ROOT / "assignments" / assignment))


def heard_from(
    assignment: str, subjects: Sequence[Subject], wants: Callable[[LockedTest], bool] = lambda _: True
) -> dict[str, list[tuple[LockedTest, Trial]]]:
    """Return, by the name of a subject, each test that concerns it and what became of it."""
    loaded = load_assignment(ROOT / "assignments" / assignment)
    listener = Listener(Ground(loaded), subjects, wants)
    forget_suites()
    run_pytest(loaded, list(Suite), JudgePlugin(loaded.manifest, listener))
    return listener.heard


def forget_suites() -> None:
    """Let a suite be collected anew: two assignments may have files of the same name, and pytest asks only for the name."""
    for name in [name for name in sys.modules if name.partition(".")[0] in list(Suite)]:
        del sys.modules[name]
