"""A notebook is graded as its module would be, in whatever order its cells stand and whatever else is in them."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import pytest

from tests.conftest import ROOT

nbformat = pytest.importorskip("nbformat")
SAMPLES = ROOT / "assignments" / "attention" / "sample_class"
STRAY = ("!pip install numpy", "%matplotlib inline\n%timeit 1 + 1", "import numpy as np\nprint(np.ones(3))", "1 + 1")


def scrambled(source: str) -> str:
    """A notebook with a cell for each statement of a module, in another order, and strangers between them."""
    statements = [ast.get_source_segment(source, each, padded=True) or "" for each in ast.parse(source).body]
    cells = [*filter(str.strip, statements), *STRAY]
    random.Random(7).shuffle(cells)  # noqa: S311 - the same order each time
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return nbformat.writes(made)


def test_a_notebook_in_scrambled_order_gets_what_its_module_gets(grade, tmp_path: Path) -> None:
    for student in ("ada", "fatima", "jun"):
        source = (SAMPLES / student / "attention.py").read_text("utf-8")
        for name, file, text in (
            (student, "attention.py", source),
            (f"{student}-nb", "attention.ipynb", scrambled(source)),
        ):
            (tmp_path / "class" / name).mkdir(parents=True)
            (tmp_path / "class" / name / file).write_text(text, encoding="utf-8")
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    for student in ("ada", "fatima", "jun"):
        module, notebook = (told(tmp_path / "out" / name / "report.json") for name in (student, f"{student}-nb"))
        assert module == notebook
    assert told(tmp_path / "out" / "fatima" / "report.json")[0] == 80


def told(path: Path) -> tuple[float, list[tuple[object, ...]]]:
    found = json.loads(path.read_text("utf-8"))
    exercises = [each for part in found["assignments"] for each in part["exercises"]]
    named = [(each["diagnosis"] or {}).get("misconceptions") for each in exercises]
    return found["score"], [
        (each["id"], each["status"], each["score"], name) for each, name in zip(exercises, named, strict=True)
    ]
