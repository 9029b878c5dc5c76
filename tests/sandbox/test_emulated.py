"""The tests of the sandbox once more as other users and in other places than those that run them: without rights, and in containers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.sandbox.full import FullBackend
from tests.sandbox.emulated import KINDS, REPOSITORY, command

pytestmark = [
    pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable())),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can pretend to be somebody else"),
]

# Which tests, by file, and which level of those that they are run at.
_AGAIN = {
    "ordinary": [("test_conformance.py", "full"), ("test_full.py", "")],
    "root": [("test_container.py", "")],
    "user": [("test_conformance.py", "container"), ("test_container.py", "")],
    "no-landlock": [("test_weak.py", "")],
    "no-seccomp": [("test_weak.py", "")],
}
_AT_LENGTH = {
    "ordinary": [("test_held.py", "full"), ("test_lockdown.py", "")],
    "root": [("test_conformance.py", "container"), ("test_held.py", "container")],
    "user": [("test_held.py", "container")],
    "no-landlock": [("test_conformance.py", "weak")],
    "no-seccomp": [("test_conformance.py", "weak")],
}


def _cases(table: dict[str, list[tuple[str, str]]], *marks: pytest.MarkDecorator) -> list[object]:
    return [pytest.param(kind, *each, marks=marks) for kind, files in table.items() for each in files]


def test_every_kind_is_tried() -> None:
    assert set(_AGAIN) == set(_AT_LENGTH) == set(KINDS)


@pytest.mark.parametrize(("kind", "file", "chosen"), [*_cases(_AGAIN), *_cases(_AT_LENGTH, pytest.mark.slow)])
def test_the_sandbox_keeps_its_word_for(kind: str, file: str, chosen: str) -> None:
    # Not below pytest's own folder, which every session of root closes to others again.
    with tempfile.TemporaryDirectory(prefix="rowwise-user-") as folder:
        Path(folder).chmod(0o777)
        done = _again(kind, file, chosen, folder)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def _again(kind: str, file: str, chosen: str, folder: str) -> subprocess.CompletedProcess[str]:
    options = ["-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist", "--import-mode=importlib"]
    pytest_ = [sys.executable, "-m", "pytest", *options, "-k", chosen, f"tests/sandbox/{file}"]
    return subprocess.run(
        command(kind, pytest_),
        cwd=REPOSITORY,
        env={**os.environ, "TMPDIR": folder, "COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
