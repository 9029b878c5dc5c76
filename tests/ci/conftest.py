from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from tests.conftest import ROOT

TO_DO = "raise NotImplementedError"
RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return 3 * x\n"
SECRET = "the_hidden_test_has_this_name"  # noqa: S105  # a name
HIDDEN = f"""
from grader.testing import assert_close, core, exercise

pytestmark = exercise("toy.double")


@core
def test_{SECRET}(submission, reference, rng):
    x = rng.standard_normal(5)
    assert_close(submission.double(x), reference.double(x), what="{SECRET}")
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A student's repository: the kit of `masking`, untouched."""
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["masking"]))
    return tmp_path / "kit"
