"""The workflow of a student's repository, run from its own file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.bundle.make import make_bundle
from grader.course.locate import load_assignments
from tests.conftest import ROOT

FILE = ".github/workflows/grade.yml"


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    """What students' repositories are made from."""
    make_bundle("github", load_assignments(ROOT, ["masking"]), tmp_path / "bundle", course_key=lambda: b"")
    return tmp_path / "bundle/starter"


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """What a job finds when it begins; `python` cannot install, but has the grader, as after an installation."""
    tools = tmp_path / "bin"
    tools.mkdir()
    installed = f'[ "$2" = pip ] && {{ echo "$@" >>"{tools}/pip"; exit 0; }}\n'
    for name, what in (
        ("python", f'{installed}exec "{sys.executable}" "$@"'),
        ("grader", f'exec "{sys.executable}" -m grader "$@"'),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{what}\n")
        (tools / name).chmod(0o755)
    return {
        "PATH": f"{tools}:{os.defpath}",
        "GITHUB_ACTIONS": "true",
        "GITHUB_REPOSITORY": "class/ada",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "page"),
    }


def job(repository: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((repository / FILE).read_text("utf-8"))["jobs"]["grade"]
    return found


def expression(value: str, variables: dict[str, str]) -> str:
    """What `${{ }}` stands for, of the few forms that the workflow uses."""
    known = {
        "vars.PIP_OPTIONS": variables.get("PIP_OPTIONS", ""),
        "vars.COURSE_REPOSITORY != '' && '.course' || ''": ".course" if variables.get("COURSE_REPOSITORY") else "",
    }
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: known[found[1]], value)


def run_steps(repository: Path, runner: dict[str, str], **variables: str) -> list[subprocess.CompletedProcess[str]]:
    """Run the steps of the job as a runner does, up to the first that fails."""
    done = []
    for step in job(repository)["steps"]:
        if "run" in step:
            env = runner | {name: expression(value, variables) for name, value in step.get("env", {}).items()}
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done.append(
                subprocess.run(
                    command, cwd=repository, env=env, capture_output=True, text=True, check=False, timeout=300
                )
            )
            if done[-1].returncode:
                break
    return done


def test_actions_are_pinned_and_the_token_may_only_read(starter: Path) -> None:
    assert yaml.safe_load((starter / FILE).read_text("utf-8"))["permissions"] == {"contents": "read"}
    used = [step for step in job(starter)["steps"] if "uses" in step]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", step["uses"]) for step in used)
    assert all(step["with"]["persist-credentials"] is False for step in used if "checkout" in step["uses"])


def test_a_secret_is_given_only_to_the_step_that_fetches_the_course(starter: Path) -> None:
    given = [step for step in job(starter)["steps"] if "secrets." in str(step)]
    assert [step["name"] for step in given] == ["Check out the course"]
    assert given[0]["if"] == "vars.COURSE_REPOSITORY != ''"
    assert f"{given[0]['with']['path']}/" in (starter / ".gitignore").read_text("utf-8").splitlines()


def test_the_steps_grade_a_fresh_repository(starter: Path, runner: dict[str, str]) -> None:
    _, install, grade = run_steps(starter, runner, PIP_OPTIONS="--pre")
    assert install.returncode == 0, install.stderr
    assert "not begun" in grade.stdout
    assert grade.returncode == 1
    [asked] = (Path(runner["PATH"].partition(":")[0]) / "pip").read_text().splitlines()
    assert "--pre -c .github/grader/constraints.txt -r .github/grader/requirements.txt" in asked
    wheel, *packages = (starter / ".github/grader/requirements.txt").read_text().splitlines()
    assert (starter / wheel).is_file()
    assert packages == ["numpy"]
    [python] = [
        step["with"]["python-version-file"] for step in job(starter)["steps"] if "setup-python" in str(step.get("uses"))
    ]
    assert (starter / python).read_text().strip() == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_the_steps_mark_a_mistake_and_fill_the_page(starter: Path, runner: dict[str, str]) -> None:
    with (starter / "student_template/masking.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef causal_mask(T):\n    return (\n")
    *_, grade = run_steps(starter, runner)
    assert grade.returncode == 1
    assert "::error file=student_template/masking.py,line=" in grade.stdout
    assert "0.00 / 60" in Path(runner["GITHUB_STEP_SUMMARY"]).read_text("utf-8")


def test_a_kit_without_the_grader_says_what_is_missing(starter: Path, runner: dict[str, str]) -> None:
    for path in (starter / ".github/grader").glob("*.whl"):
        path.unlink()
    [first] = run_steps(starter, runner)
    assert first.returncode == 1
    assert first.stdout.startswith("::error::.github/grader is missing")


def test_beside_the_private_course_the_steps_grade_with_the_hidden_tests(starter: Path, runner: dict[str, str]) -> None:
    (starter / "student_template/masking.py").write_bytes((ROOT / "reference/masking.py").read_bytes())
    (starter / ".course").symlink_to(ROOT)
    *_, grade = run_steps(starter, runner, COURSE_REPOSITORY="class/course")
    assert grade.returncode == 0, grade.stderr
    assert "hidden tests" in grade.stdout


def test_this_courses_workflow_is_the_usual_one() -> None:
    for name, usual in ((FILE, "grade.yml"), (".gitignore", "gitignore.txt")):
        assert (ROOT / "student_template" / name).read_bytes() == (ROOT / "grader/kit/starter" / usual).read_bytes()
