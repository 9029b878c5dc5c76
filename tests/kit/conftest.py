from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.kit.lesson import Step, steps
from grader.kit.make import make_kit
from tests.conftest import ROOT


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A kit of attention and shapes."""
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["attention", "shapes"]))
    return tmp_path / "kit"


@pytest.fixture
def lesson(kit: Path) -> dict[str, Step]:
    """Its exercises, by id."""
    return {step.id: step for step in steps(load_assignments(kit, ()))}


@pytest.fixture
def solved(kit: Path) -> Path:
    """The folder with the student's files, all of attention right."""
    folder = kit / "student_template"
    (folder / "attention.py").write_bytes((ROOT / "reference" / "attention.py").read_bytes())
    return folder
