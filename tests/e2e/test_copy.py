"""What is graded is what was copied: nothing that changes later counts, and nothing that lies beside it."""

from __future__ import annotations

import base64
import py_compile
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.batch import run
from grader.batch.run import grade_all
from grader.course.assignment import load_assignment
from grader.intake.base import Submission, digest
from grader.intake.discover import discover
from grader.model.evidence import Evidence
from grader.model.report import Report
from grader.pipeline.replay import read_report
from grader.pipeline.settings import Settings, prepare
from tests.e2e.toy import hand_in, toy_course
from tests.fuzz.archive import zip_of

RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return 3 * x\n"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course")


def graded(course: Path, found: list[Submission], out: Path) -> dict[str, Report]:
    settings = Settings([prepare(load_assignment(course / "assignments" / "toy"))], key=b"k" * 32, backend="none")
    names = [each.row.id for each in grade_all(found, settings, jobs=1, out=out)]
    return {name: read_report(out / name / "report.json") for name in names}


def test_files_swapped_once_grading_has_begun_change_nothing(toy, tmp_path, monkeypatch):
    room = hand_in(toy, "folder", WRONG)
    hand_in(toy, "linked", WRONG)
    (room / "zipped.zip").write_bytes(zip_of([("toy.py", WRONG.encode())]))
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    honest = run.grade

    def late(submission: Submission, settings: Settings, before: Sequence[Evidence]) -> object:
        (room / "folder" / "toy.py").write_text(RIGHT, encoding="utf-8")
        (room / "linked" / "toy.py").unlink(missing_ok=True)
        (room / "linked" / "toy.py").symlink_to(tmp_path / "right.py")
        (room / "zipped.zip").write_bytes(zip_of([("toy.py", RIGHT.encode())]))
        return honest(submission, settings)

    monkeypatch.setattr(run, "grade", late)
    reports = graded(toy, discover([room], {"toy.py"}), tmp_path / "out")
    assert {name: report.score for name, report in reports.items()} == {"folder": 0, "linked": 0, "zipped": 0}
    for report in reports.values():
        assert base64.b64decode(report.submission.files[0].content) == WRONG.encode()
        assert report.submission.digest == digest({"toy.py": WRONG.encode()})


def test_files_that_python_and_pytest_would_pick_up_have_no_effect(toy, tmp_path):
    home = hand_in(toy, "ada", WRONG) / "ada"
    (home / "right.py").write_text(RIGHT, encoding="utf-8")
    (home / "__pycache__").mkdir()
    # Compiled from a right answer, and not to be checked against the source.
    py_compile.compile(
        str(home / "right.py"),
        cfile=str(home / "__pycache__" / f"toy.{sys.implementation.cache_tag}.pyc"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    (home / "numpy.py").write_text("def asarray(*a, **k): return 0\nallclose = array_equal = lambda *a, **k: True\n")
    (home / "conftest.py").write_text("def pytest_runtest_call(item):\n    item.obj = lambda **k: None\n")
    (home / "sitecustomize.py").write_text("import os; os.environ['BREACH'] = '1'\n")
    (home / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    (home / "x.pth").write_text("import sys; sys.path.insert(0, '.')\n")
    [found] = discover([home], {"toy.py"})
    report = graded(toy, [found], tmp_path / "out")["ada"]
    assert report.score == 0
    assert {test.status for exercise in report.assignments[0].exercises for test in exercise.tests} == {"failed"}
    assert [file.name for file in report.submission.files] == ["toy.py"]
    assert {"numpy.py", "conftest.py", "sitecustomize.py", "pytest.ini", "x.pth"} <= set(report.submission.ignored)


def test_a_right_answer_beside_such_files_is_still_right(toy, tmp_path):
    home = hand_in(toy, "ada", "import numpy as np\n" + RIGHT) / "ada"
    (home / "numpy.py").write_text("raise SystemExit(3)\n")
    assert graded(toy, discover([home], {"toy.py"}), tmp_path / "out")["ada"].score == 10
