from __future__ import annotations

import pytest

from grader.course.locate import load_assignments
from grader.kit.touched import code_of
from tests.conftest import ROOT

[ATTENTION] = load_assignments(ROOT, ["attention"])
RIGHT = (ROOT / "reference" / "attention.py").read_text("utf-8")


def touched(old: str, new: str) -> set[str]:
    before, after = (
        code_of(ATTENTION.manifest, {"attention.py": text.encode()}) for text in (RIGHT, RIGHT.replace(old, new))
    )
    return {name.partition(".")[2] for name in before if before[name] != after[name]}


def test_a_comment_or_a_blank_line_touches_nothing() -> None:
    assert touched("import numpy", "# a note\n\nimport numpy") == set()


def test_a_function_touches_its_exercise_and_those_that_need_it() -> None:
    assert touched("def project_qkv(X:", "def project_qkv(Y:") >= {"qkv"}
    assert "scores" not in touched("def project_qkv(X:", "def project_qkv(Y:")
    assert touched("def softmax(x: Array", "def softmax(y: Array") >= {"softmax", "weights", "attention"}


@pytest.mark.parametrize("change", ["X = 1\nimport numpy", "def helper():\n    pass\n\nimport numpy"])
def test_what_is_no_exercises_touches_all(change: str) -> None:
    assert len(touched("import numpy", change)) == len(ATTENTION.manifest.exercises)


def test_a_file_that_is_no_python_touches_all() -> None:
    assert len(touched("import numpy", "import (numpy")) == len(ATTENTION.manifest.exercises)
