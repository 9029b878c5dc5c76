from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from grader import __version__
from grader.bundle.make import make_bundle
from grader.course.locate import load_assignments
from tests.bundle.conftest import KEY, Bundle, toy
from tests.bundle.dockerfile import Dockerfile


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The folder of a job: the Makefile under the name that Autolab gives it, the tar, and a hand-in that is right."""
    course, folder = toy(tmp_path), tmp_path / "job"
    make_bundle("autolab", load_assignments(course, []), tmp_path / "bundle", course_key=lambda: KEY)
    folder.mkdir()
    shutil.copy(tmp_path / "bundle/autograde-Makefile", folder / "Makefile")
    shutil.copy(tmp_path / "bundle/autograde.tar", folder)
    shutil.copy(course / "class/ada/toy.py", folder)
    return folder


def make(job: Path, commands: dict[str, str]) -> tuple[int, list[str]]:
    ran = subprocess.run(
        ["make"],
        cwd=job,
        env=commands,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    return ran.returncode, ran.stdout.splitlines()


def last_scores(lines: list[str]) -> dict[str, float | None]:
    scores: dict[str, float | None] = json.loads(lines[-1])["scores"]
    return scores


def test_the_last_line_is_the_result(job: Path, commands: dict[str, str]) -> None:
    code, lines = make(job, commands)
    assert code == 0, lines
    assert last_scores(lines) == {"toy": 10.0}


@pytest.mark.slow
def test_a_hand_in_may_be_an_archive(job: Path, commands: dict[str, str]) -> None:
    shutil.make_archive(str(job / "handin"), "tar", job, "toy.py")
    (job / "toy.py").unlink()
    code, lines = make(job, commands)
    assert code == 0, lines
    assert last_scores(lines) == {"toy": 10.0}


def test_a_fault_of_the_course_is_no_score_and_tells_nothing_of_a_test(job: Path, commands: dict[str, str]) -> None:
    # Another version than the bundle's own, and nowhere to get that from.
    (job / "bin").mkdir()
    (job / "bin/grader").write_text("#!/bin/sh\necho grader, version 0.0\n")
    (job / "bin/grader").chmod(0o755)
    env = commands | {"PATH": f"{job}/bin:{commands['PATH']}", "PYTHON": "/bin/false"}
    _, lines = make(job, env)
    [fault] = [line for line in lines if "not your fault" in line]
    assert "installation" in fault
    assert last_scores(lines) == {"toy": None}


def test_without_a_score_the_result_says_so(job: Path, commands: dict[str, str]) -> None:
    subprocess.run(["tar", "-xf", "autograde.tar"], cwd=job, check=True)
    (job / "autograde/course/assignments/toy/tests.lock").unlink()
    subprocess.run(["tar", "-cf", "autograde.tar", "autograde"], cwd=job, check=True)
    shutil.rmtree(job / "autograde")
    _, lines = make(job, commands)
    assert last_scores(lines) == {"toy": None}
    assert not [line for line in lines if "tests.lock" in line]
    (job / "autograde.tar").write_bytes(b"")
    _, lines = make(job, commands)
    assert last_scores(lines) == {"toy": None}


def test_the_problems_have_the_names_of_the_result(bundle: Bundle) -> None:
    folder = bundle("autolab", "attention", "masking")
    readme = (folder / "README.md").read_text("utf-8")
    assert "| attention | 100 |" in readme
    assert "| masking | 60 |" in readme


def test_the_image_for_autolab_is_whole(bundle: Bundle) -> None:
    found = Dockerfile(bundle("autolab") / "image")
    found.check()
    assert found.of("FROM") == ["${BASE}"]
    assert __version__ in next(path.name for path in found.folder.glob("*.whl"))
