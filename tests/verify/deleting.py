"""Take one hidden test out of a copy of the course, together with its line of the lock."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

from grader.course.lock import read_lock
from tests.conftest import ROOT


def copy_course(folder: Path, assignment: str) -> Path:
    """Copy what `verify` reads of one assignment."""
    ignored = shutil.ignore_patterns("sample_class", "__pycache__")
    for part in (f"assignments/{assignment}", "reference", "student_template"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    return folder


def hidden_tests(assignment: str) -> list[str]:
    """The ids of an assignment's hidden tests, but for the questions of a worksheet, which are no guards."""
    locked = read_lock(ROOT / "assignments" / assignment / "tests.lock")
    return [test.id for test in locked if test.suite == "hidden" and test.tier != "question"]


def delete_test(course: Path, assignment: str, test_id: str) -> None:
    """Delete a hidden test and its line of the lock."""
    home = course / "assignments" / assignment
    name, _, function = test_id.partition("::")
    path = home / name
    lines = path.read_text("utf-8").splitlines(keepends=True)
    found = next(
        node for node in ast.parse("".join(lines)).body if isinstance(node, ast.FunctionDef) and node.name == function
    )
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    path.write_text("".join(lines[: first - 1] + lines[found.end_lineno :]), encoding="utf-8")
    lock = home / "tests.lock"
    kept = [
        line for line in lock.read_text("utf-8").splitlines(keepends=True) if not line.rstrip().endswith(f" {test_id}")
    ]
    lock.write_text("".join(kept), encoding="utf-8")
