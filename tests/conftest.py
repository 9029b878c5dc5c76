"""What every test may ask for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

# A workflow that runs these tests has a page of its own, and their classes are not to be shown there.
os.environ.pop("GITHUB_STEP_SUMMARY", None)

# A busy machine is slow without being wrong.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

ROOT = Path(__file__).resolve().parent.parent
Grader = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def course() -> Path:
    """This repository, which is a course."""
    return ROOT


@pytest.fixture
def grader(tmp_path: Path) -> Grader:
    """Run the `grader` command in a process of its own, in this course unless told otherwise."""

    def run(
        *arguments: object, cwd: Path = ROOT, env: dict[str, str] | None = None, **options: object
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "grader", *map(str, arguments)]
        return subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=300, **options
        )

    return run


@pytest.fixture
def grade(grader: Grader, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `grader grade` with a key of the test's own, so that nothing is written to the course."""
    key = tmp_path / "key"

    def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        return grader("grade", *arguments, "--seed-key", key, **options)

    return run
