"""A library's ready-made answer is no answer: calling it is blocked and costs points; naming it is only flagged."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.toy import hand_in, toy_course


def graded(grade, course: Path, tmp_path: Path, source: str) -> dict:
    submissions = hand_in(course, "ann", source)
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    return json.loads((tmp_path / "out" / "ann" / "report.json").read_text("utf-8"))["assignments"][0]


def test_a_forbidden_call_is_blocked_even_behind_an_except(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", forbidden='["numpy.multiply"]')
    source = "import numpy\ndef double(x):\n    try:\n        return numpy.multiply(x, 2.0)\n    except Exception:\n        return x + x\n"
    found = graded(grade, course, tmp_path, source)
    assert found["status"] == "blocked"
    assert found["score"] == 0
    assert found["flags"] == [{"file": "toy.py", "line": 4, "name": "numpy.multiply"}]


def test_another_name_for_the_same_function_is_blocked_too(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", forbidden='["numpy.einsum"]')
    source = "import numpy\ndef double(x):\n    return numpy._core.einsumfunc.einsum('i->i', x) * 2\n"
    assert graded(grade, course, tmp_path, source)["status"] == "blocked"


def test_naming_it_without_calling_it_costs_nothing_but_is_flagged(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", forbidden='["numpy.multiply"]')
    found = graded(grade, course, tmp_path, "import numpy\nunused = numpy.multiply\ndef double(x):\n    return x + x\n")
    assert found["status"] == "passed"
    assert [flag["line"] for flag in found["flags"]] == [2]


def test_a_package_that_is_not_allowed_cannot_be_imported(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course")
    found = graded(grade, course, tmp_path, "import torch\ndef double(x):\n    return x + x\n")
    assert found["status"] == "import_error"
    assert "torch" in found["exercises"][0]["message"]
