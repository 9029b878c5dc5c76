"""A fresh interpreter for each submission, which imports it: how most graders work. Nothing is isolated."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.throughput.contender import Grade
from tests.benchmarks.throughput.direct import functions, methods, write_suite
from tests.benchmarks.throughput.flavour import Flavour
from tests.benchmarks.throughput.ground import Ground

# As gradescope-utils does it: a loader, a runner, and a file of results.
_UNITTEST = """
import json, time, unittest


class Results(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.began = time.time()

    def addSuccess(self, test):
        super().addSuccess(test)
        told.append({"name": str(test), "score": 1, "max_score": 1, "execution_time": time.time() - self.began})


told = []
tests = unittest.defaultTestLoader.loadTestsFromName("test_attention")
found = unittest.TextTestRunner(resultclass=Results, verbosity=0).run(tests)
with open("results.json", "w") as file:
    json.dump({"tests": told}, file, indent=4)
raise SystemExit(not found.wasSuccessful())
"""


def _pytest(home: Path, ground: Ground) -> list[str]:
    suite = write_suite(home, ground, functions(ground))
    return ["-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(home), "-p", "no:cacheprovider", str(suite)]


def _unittest(home: Path, ground: Ground) -> list[str]:
    write_suite(home, ground, methods(ground))
    (home / "run_tests.py").write_text(_UNITTEST, encoding="utf-8")
    return [str(home / "run_tests.py")]


class Cold:
    """One process a submission.

    Args:
        name: What to call it.
        written: Writes a suite to a folder, and returns the words for Python that run it.
    """

    cores = 1
    share = 0.1

    def __init__(self, name: str, written: Callable[[Path, Ground], list[str]]) -> None:
        self.name = name
        self._written = written

    def lacking(self, flavour: Flavour) -> str | None:
        return None

    @contextmanager
    def open(self, ground: Ground) -> Iterator[Grade]:
        home = ground.place(self.name)
        command = [sys.executable, *self._written(home, ground)]

        def grade(folders: Sequence[Path]) -> None:
            for folder in folders:
                path = os.pathsep.join([str(folder), str(home)])
                more = {"PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"}
                subprocess.run(command, cwd=home, env=_environment() | more, check=True, capture_output=True)

        yield grade


def _environment() -> dict[str, str]:
    """Return the environment without what changes Python or pytest, such as a run of tests that this is a part of."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "COV_"))}


PYTEST = Cold("cold pytest", _pytest)
UNITTEST = Cold("unittest process", _unittest)
