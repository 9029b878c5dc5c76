"""A small class, a third of it hostile; the large one is part of .ci/full."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grader.sandbox.full import FullBackend
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))


def test_the_honest_two_thirds_of_a_class_get_the_reports_they_get_by_themselves() -> None:
    command = [sys.executable, "-m", "tests.faults.mixed", "--size", "9"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "6 honest submissions, 12 reports on them compared" in ran.stdout
