"""otter-grader: `otter run`, which grades one submission without its container."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.throughput.contender import Grade
from tests.benchmarks.throughput.elsewhere import Elsewhere
from tests.benchmarks.throughput.ground import FILE, Ground

_QUESTION = """\
OK_FORMAT = False

from otter.test_files import test_case

name = "q{number:03}"
points = 1

{right}

right = attention


@test_case(points=1, hidden=True)
def test_{number:03}(env):
    rng = np.random.default_rng({number})
    {inputs}
    got, expected = env["attention"](q, k, v), right(q, k, v)
    {close}
"""


class Otter(Elsewhere):
    """A question a test, as its notebooks have them."""

    name = "otter-grader"
    package = "otter"

    @contextmanager
    def open(self, ground: Ground) -> Iterator[Grade]:
        home = ground.place(self.name)
        (home / "tests").mkdir()
        words = {"right": ground.right, "inputs": ground.flavour.inputs, "close": ground.flavour.close}
        for number in range(ground.tests):
            (home / "tests" / f"q{number:03}.py").write_text(_QUESTION.format(number=number, **words), encoding="utf-8")
        self._otter(home, "generate", "-t", "tests", "-o", "autograder.zip", "--no-environment")

        def grade(folders: Sequence[Path]) -> None:
            for folder in folders:
                out = folder / "otter"
                out.mkdir()
                self._otter(home, "run", str(folder / FILE), "-a", "autograder.zip", "-o", str(out), "--no-logo")
                told = json.loads((out / "results.json").read_text("utf-8"))["tests"]
                scores = [each["score"] for each in told if "max_score" in each]
                assert sum(scores) == ground.tests, told

        yield grade

    def _otter(self, home: Path, *words: str) -> None:
        command = [str(self.python), "-m", "otter", *words]
        subprocess.run(command, cwd=home, env=self.environment(), check=True, capture_output=True)


OTTER = Otter()
