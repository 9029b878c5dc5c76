"""An assignment whose file imports another one of the student's own: what is missing or broken there is told there."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.evidence import Evidence, TestEvidence
from grader.model.verdict import Status
from grader.sandbox.base import Level
from tests.e2e.toy import toy_course

BASE = "def two():\n    return 2\n"
TOY = "from base import two\n\n\ndef double(x):\n    return two() * x\n"


@pytest.fixture
def judged(tmp_path: Path) -> Callable[..., TestEvidence]:
    """Judge a submission of several files, and return what became of its hidden test."""
    course = toy_course(tmp_path / "course")
    home = course / "assignments" / "toy"
    text = (home / "assignment.toml").read_text("utf-8").replace('["toy.py"]', '["base.py", "toy.py"]')
    (home / "assignment.toml").write_text(text, encoding="utf-8")
    (course / "reference" / "base.py").write_text(BASE, encoding="utf-8")
    (course / "reference" / "toy.py").write_text(TOY, encoding="utf-8")

    def judge(**files: str) -> TestEvidence:
        given = {f"{name}.py": base64.b64encode(text.encode()) for name, text in files.items()}
        job = Job(assignment=home, files=given, locked=False, backend=Level.NONE)
        found: Evidence = run_suite(job, load_assignment(home))
        assert found.problem is None, found.problem
        [hidden] = [test for test in found.tests if test.suite == "hidden"]
        return hidden

    return judge


def test_a_file_that_imports_another_one_is_graded_with_it(judged: Callable[..., TestEvidence]) -> None:
    assert judged(base=BASE, toy=TOY).status is Status.PASSED


@pytest.mark.parametrize(
    ("files", "said", "place"),
    [
        ({}, "base.py was not handed in, so it cannot be imported: hand it in too", ("toy.py", 1)),
        ({"base": BASE.replace("return", "retrun")}, "invalid syntax", ("base.py", 2)),
        ({"base": BASE + "\nthree()\n"}, "name 'three' is not defined", ("base.py", 4)),
        ({"base": BASE.replace("two", "deux")}, "cannot import name 'two' from 'base' (base.py)", ("toy.py", 1)),
    ],
    ids=["missing", "no Python", "does not run", "lacks a name"],
)
def test_what_is_wrong_with_the_other_file_is_told_with_its_name(
    judged: Callable[..., TestEvidence], files: dict[str, str], said: str, place: tuple[str, int]
) -> None:
    found = judged(toy=TOY, **files)
    assert found.status is Status.IMPORT_ERROR
    assert found.error is not None
    assert said in found.error.message
    assert (found.error.file, found.error.line) == place
    assert "base.py" in found.message or place[0] == "base.py"
