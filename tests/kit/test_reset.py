from __future__ import annotations

import ast

import pytest

from grader.kit.reset import reset
from grader.model.errors import UsageError
from tests.conftest import ROOT

TEMPLATE = (ROOT / "student_template" / "attention.py").read_text("utf-8")


def bodies(text: str) -> dict[str, str]:
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_one_exercise_is_as_in_the_template_and_every_other_line_stays(lesson, solved) -> None:
    file = solved / "attention.py"
    mine = file.read_text("utf-8") + "\n\n# a note of mine\ndef helper():\n    return 1\n"
    file.write_text(mine, encoding="utf-8")
    backup = reset(lesson["attention.softmax"], solved)
    before, after, template = bodies(mine), bodies(file.read_text("utf-8")), bodies(TEMPLATE)
    assert after == before | {"softmax": template["softmax"]}
    assert "# a note of mine" in file.read_text("utf-8")
    assert backup.read_text("utf-8") == mine


def test_each_reset_keeps_a_copy_of_its_own(lesson, solved) -> None:
    kept = [reset(lesson[name], solved) for name in ("attention.softmax", "attention.qkv", "attention.softmax")]
    assert [path.name for path in kept] == ["001-attention.py", "002-attention.py", "003-attention.py"]


def test_a_function_that_was_deleted_comes_back(lesson, solved) -> None:
    file = solved / "attention.py"
    file.write_text("import numpy as np\n", encoding="utf-8")
    reset(lesson["attention.scores"], solved)
    assert bodies(file.read_text("utf-8")) == {"attention_scores": bodies(TEMPLATE)["attention_scores"]}


def test_a_file_that_is_no_python_becomes_the_template(lesson, solved) -> None:
    file = solved / "attention.py"
    file.write_text("def softmax(x:\n", encoding="utf-8")
    backup = reset(lesson["attention.softmax"], solved)
    assert file.read_text("utf-8") == TEMPLATE
    assert backup.read_text("utf-8") == "def softmax(x:\n"


def test_what_is_no_function_has_no_template(lesson, solved) -> None:
    with pytest.raises(UsageError, match="no function"):
        reset(lesson["shapes.worksheet"], solved)
