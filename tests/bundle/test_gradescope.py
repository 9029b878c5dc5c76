"""The bundle at work as Gradescope runs it: its folder layout, a virtual environment of its own, no network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.bundle.make import make_bundle
from grader.bundle.own import own_needs
from grader.course.locate import load_assignments
from tests.bundle.wheels import wheels_of
from tests.conftest import ROOT

CLASS = ROOT / "assignments" / "attention" / "sample_class"
METADATA = {
    "id": 1,
    "created_at": "2026-10-09T14:22:32.365935-07:00",
    "assignment": {"due_date": "2026-10-01T23:00:00.000000-07:00", "late_due_date": None, "total_points": "100.0"},
    "users": [
        {"email": "zoe@example.edu", "id": 2, "name": "Zoe"},
        {"email": "ada@example.edu", "id": 1, "name": "Ada"},
    ],
    "previous_submissions": [],
}


@dataclass(frozen=True)
class Machine:
    """A folder that stands for /autograder."""

    root: Path
    env: dict[str, str]
    built: str

    def run(self, submission: Path | None) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
        """Put a submission where Gradescope puts it, run the autograder, and return what it left."""
        for folder in ("submission", "results"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
        (self.root / "results").mkdir()
        if submission is None:
            (self.root / "submission").mkdir()
        else:
            shutil.copytree(submission, self.root / "submission")
        (self.root / "submission_metadata.json").write_text(json.dumps(METADATA), encoding="utf-8")
        ran = subprocess.run(
            [self.root / "run_autograder"],
            cwd=self.root,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        return ran, json.loads((self.root / "results" / "results.json").read_bytes())


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """What Gradescope does with the upload, up to the image that it grades in."""
    home = tmp_path_factory.mktemp("gradescope")
    make_bundle("gradescope", load_assignments(ROOT, ["attention"]), home / "bundle", course_key=lambda: b"k" * 32)
    root = home / "autograder"
    with zipfile.ZipFile(home / "bundle" / "autograder.zip") as archive:
        archive.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    (root / "run_autograder").chmod(0o755)
    pinned = [line.partition("==")[0] for line in (root / "source" / "constraints.txt").read_text().splitlines()]
    env = {
        "PATH": os.defpath,
        "HOME": str(home),
        "PYTHON": str(Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"),
        "AUTOGRADER_ROOT": str(root),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels_of(pinned, home / "wheels")),
        "PIP_NO_COMPILE": "1",
    }
    built = subprocess.run(
        ["bash", root / "source" / "setup.sh"], env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return Machine(root, env, built.stdout)


def test_the_build_tells_how_submissions_are_held_and_closes_the_tests(machine: Machine) -> None:
    assert "hidden tests" in machine.built
    for secret in ("course/.seed-key", "course/assignments/attention/hidden", "course/reference/attention.py"):
        assert (machine.root / "source" / secret).stat().st_mode & 0o077 == 0


def test_what_is_installed_needs_what_the_project_needs(machine: Machine) -> None:
    code = "from grader.bundle.own import own_needs; print(sorted(map(str.lower, own_needs().packages)))"
    ran = subprocess.run(
        [machine.root / "venv/bin/python", "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == str(sorted(map(str.lower, own_needs().packages)))


def test_a_right_submission_has_full_points_late_or_not(machine: Machine) -> None:
    ran, results = machine.run(CLASS / "ada")
    assert ran.returncode == 0, ran.stderr
    assert sum(each["score"] for each in results["tests"]) == 100 == results.get("score", 100)
    # Of a group, the first in the alphabet, whoever handed in.
    assert "ada%40example.edu" in ran.stderr


def test_a_file_that_does_not_parse_has_results_too(machine: Machine) -> None:
    ran, results = machine.run(CLASS / "lucia")
    assert ran.returncode == 0, ran.stderr
    assert sum(each["score"] for each in results["tests"]) == 0
    assert "was never closed" in json.dumps(results)


@pytest.mark.slow
def test_nothing_handed_in_has_results_too(machine: Machine) -> None:
    ran, results = machine.run(None)
    assert ran.returncode == 0, ran.stderr
    assert sum(each["score"] for each in results["tests"]) == 0
    assert "attention.py" in json.dumps(results)


def is_our_fault(results: dict[str, Any]) -> bool:
    return "not your fault" in results["output"] and not {"score", "tests"} & set(results)


@pytest.mark.parametrize("lost", ["source/course/assignments/attention/tests.lock", "venv/bin/grader"])
def test_a_fault_of_the_course_is_no_score(machine: Machine, lost: str) -> None:
    away = machine.root / "away"
    (machine.root / lost).rename(away)
    try:
        ran, results = machine.run(CLASS / "ada")
    finally:
        away.rename(machine.root / lost)
    assert ran.returncode != 0
    assert is_our_fault(results)


def test_metadata_that_names_nobody_is_no_score(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METADATA, "users", [])
    ran, results = machine.run(CLASS / "ada")
    assert ran.returncode == 4
    assert is_our_fault(results)
