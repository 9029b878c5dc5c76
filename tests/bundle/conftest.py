from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.bundle.make import make_bundle
from grader.course.locate import load_assignments
from tests.conftest import ROOT
from tests.e2e.toy import hand_in, toy_course

KEY = bytes(range(32))
Bundle = Callable[..., Path]


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """Make a bundle of some assignments of this course in a new folder and return it."""

    def make(service: str, *assignments: str, pip_options: str = "") -> Path:
        folder = tmp_path / service
        chosen = load_assignments(ROOT, assignments or ["masking"])
        make_bundle(service, chosen, folder, course_key=lambda: KEY, pip_options=pip_options)
        return folder

    return make


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose PATH has `python3` and `grader`, both of these tests."""
    folder = tmp_path_factory.mktemp("bin")
    for name, what in (("python3", ""), ("grader", " -m grader")):
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{what} "$@"\n')
        (folder / name).chmod(0o755)
    return {"PATH": f"{folder}:{os.defpath}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}


def toy(folder: Path) -> Path:
    """A course of one exercise, and work on it that is right."""
    course = toy_course(folder / "course")
    hand_in(course, "ada", "def double(x):\n    return 2 * x\n")
    return course
