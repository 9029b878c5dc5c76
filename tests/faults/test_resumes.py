"""A few kills of the grader itself, with judges and workers as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_class_that_is_taken_up_again_and_again_comes_to_what_it_comes_to_undisturbed() -> None:
    command = [sys.executable, "-m", "tests.faults.resumes", "--size", "12", "--kills", "4"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ": 4 of 4 kills" in ran.stdout
