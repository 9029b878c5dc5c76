"""nbgrader: `nbgrader autograde`, which executes notebooks and keeps scores in its own gradebook."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.benchmarks.throughput.contender import Grade
from tests.benchmarks.throughput.elsewhere import Elsewhere
from tests.benchmarks.throughput.ground import FILE, Ground

_TEST = """\
rng = np.random.default_rng({number})
{inputs}
got, expected = attention(q, k, v), right(q, k, v)
{close}"""


class Nbgrader(Elsewhere):
    """A cell a test, in one notebook."""

    name = "nbgrader"
    package = "nbgrader"

    @contextmanager
    def open(self, ground: Ground) -> Iterator[Grade]:
        home = ground.place(self.name)
        _write(home / "source" / "timing" / "timing.ipynb", _notebook(ground, ground.right))
        self._nbgrader(home, "generate_assignment", "timing")

        def grade(folders: Sequence[Path]) -> None:
            for folder in folders:
                text = (folder / FILE).read_text("utf-8")
                _write(home / "submitted" / folder.name / "timing" / "timing.ipynb", _notebook(ground, text))
            self._nbgrader(home, "autograde", "timing")
            for folder in folders:
                told = json.loads((home / "autograded" / folder.name / "timing" / "timing.ipynb").read_text("utf-8"))
                assert not _errors(told), _errors(told)
            shutil.rmtree(home / "submitted")  # else they would be looked at again

        yield grade

    def _nbgrader(self, home: Path, *words: str) -> None:
        command = [str(self.python), "-m", "nbgrader", *words]
        subprocess.run(command, cwd=home, env=self.environment(), check=True, capture_output=True)


def _notebook(ground: Ground, submission: str) -> dict[str, Any]:
    words = {"inputs": ground.flavour.inputs, "close": ground.flavour.close}
    right = ground.right.replace("def attention", "def right")
    cells = [_cell("answer", submission, solution=True), _cell("right", right, locked=True)]
    cells += [
        _cell(f"t{each}", _TEST.format(number=each, **words), grade=True, points=1) for each in range(ground.tests)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(name: str, source: str, *, points: int | None = None, **kinds: bool) -> dict[str, Any]:
    told = {"schema_version": 3, "grade_id": name, "cell_type": "code", "grade": False, "solution": False}
    told |= {"locked": not kinds.get("solution", False)} | kinds | ({"points": points} if points else {})
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"nbgrader": told},
        "outputs": [],
        "source": source,
    }


def _write(path: Path, notebook: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def _errors(notebook: dict[str, Any]) -> list[Any]:
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return [output for output in outputs if output["output_type"] == "error"]


NBGRADER = Nbgrader()
