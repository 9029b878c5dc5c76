"""From a save to the verdict in `grader watch`, as a student in a terminal sees it, beside `pytest` on the same tests.

python -m tests.benchmarks.watch

Both are given a file that is wrong and one that is right by turns. pytest imports the student's file itself: it judges in its own
process, names no mistake, and starts anew each time, as a student would start it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pexpect

from grader.course.locate import load_assignments
from grader.kit.make import make_kit

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 8
_CONFTEST = """
import importlib
import math
import sys

import numpy as np
import pytest

from grader.judge.budget import CallBudget
from grader.judge.direct import DirectCaller
from grader.judge.proxy import Submission

sys.path.insert(0, {folder!r})


@pytest.fixture
def submission():
    module = importlib.import_module({module!r})
    return Submission(DirectCaller(module), [], math.inf, CallBudget(), [])


@pytest.fixture
def rng():
    return np.random.default_rng(0)
"""


class Case(NamedTuple):
    """An exercise, the tests of its own, a change that is wrong, and how long a student thinks at least."""

    exercise: str
    tests: str
    wrong: tuple[str, str]
    pause: float
    wanted: float


CASES = [
    Case("attention.weights", "test_weights.py", ("return softmax(", "return -softmax("), 2.0, 0.300),
    Case("attention.softmax", "test_softmax.py", ("np.exp(", "1 + np.exp("), 2.0, 0.300),
    Case("layers.layernorm", "test_layernorm.py", ("self.weight *", "-self.weight *"), 6.0, 0.600),
    Case("layers.block", "test_block.py", ("x + self.attn(", "x - self.attn("), 6.0, 0.600),
]


class Measured(NamedTuple):
    """Seconds of each round."""

    watch: list[float]
    pytest: list[float]


def measured(case: Case, home: Path) -> Measured:
    """Save by turns what is wrong and what is right, and wait for what a terminal shows."""
    assignment, module = case.exercise.partition(".")[0], case.exercise.partition(".")[0]
    kit = home / case.exercise
    make_kit(kit, load_assignments(ROOT, [assignment]))
    file = kit / "student_template" / f"{module}.py"
    right = (ROOT / "reference" / f"{module}.py").read_text("utf-8")
    wrong = right.replace(*case.wrong)
    if wrong == right:
        raise SystemExit(f"{case.exercise}: nothing is wrong after replacing {case.wrong}")
    (kit / "assignments" / assignment / "visible" / "conftest.py").write_text(
        _CONFTEST.format(folder=str(file.parent), module=module), encoding="utf-8"
    )
    file.write_text(right, encoding="utf-8")
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "grader", "watch", case.exercise],
        cwd=str(kit),
        env=os.environ | {"TERM": "xterm", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
        dimensions=(40, 120),
        encoding="utf-8",
        timeout=120,
    )
    terminal.expect(rf"{case.exercise} +passed")
    found = Measured([], [])
    for number in range(2 * ROUNDS):
        text, verdict = ((wrong, "failed"), (right, "passed"))[number % 2]
        time.sleep(case.pause)
        found.watch.append(_saved(file, text, terminal, rf"{case.exercise} +{verdict}"))
        found.pytest.append(_by_pytest(kit / "assignments" / assignment / "visible" / case.tests, verdict))
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    return found


def _saved(file: Path, text: str, terminal: pexpect.spawn, shown: str) -> float:
    draft = file.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    started = time.perf_counter()
    draft.replace(file)
    terminal.expect(shown)
    return time.perf_counter() - started


def _by_pytest(tests: Path, verdict: str) -> float:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", str(tests)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"}
    started = time.perf_counter()
    ran = subprocess.run(command, cwd=tests.parent, env=environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if (ran.returncode == 0) is not (verdict == "passed"):
        raise SystemExit(f"pytest says otherwise: {ran.stdout[-2000:]}")
    return seconds


def main() -> None:
    """Print the median of each, and of the ratio of each pair."""
    with tempfile.TemporaryDirectory() as home:
        for case in CASES if len(sys.argv) == 1 else [each for each in CASES if each.exercise in sys.argv]:
            found = measured(case, Path(home))
            ratios = [mine / theirs for mine, theirs in zip(*found, strict=True)]
            sys.stdout.write(
                f"{case.exercise:<20} watch: median {statistics.median(found.watch):.3f} s "
                f"({min(found.watch):.3f} to {max(found.watch):.3f}; wanted {case.wanted:.3f})  "
                f"pytest: median {statistics.median(found.pytest):.3f} s  ratio {statistics.median(ratios):.2f}\n"
            )


if __name__ == "__main__":
    main()
