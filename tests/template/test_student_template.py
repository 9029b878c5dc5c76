"""The templates this repository hands out: current, bare, and runnable with NumPy alone."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from grader.model.manifest import Manifest
from grader.template import check

ROOT = Path(__file__).parents[2]
MANIFESTS = [
    Manifest.model_validate(tomllib.loads(p.read_text("utf-8")))
    for p in sorted(ROOT.glob("assignments/*/assignment.toml"))
]
EXERCISES = [(e.module, name, e.id) for m in MANIFESTS for e in m.exercises if not e.is_worksheet for name in e.names]
ONLY_NUMPY = [m for manifest in MANIFESTS if {*manifest.allowed_imports} <= {"numpy"} for m in manifest.programs]

CALL_ALL = """
import importlib.util, inspect, json, pathlib, sys
from importlib.abc import MetaPathFinder

class OnlyNumPy(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy"}:
            raise ImportError(f"{name} is not the standard library or NumPy")

sys.meta_path.insert(0, OnlyNumPy())
said = {}
for path, name in json.load(sys.stdin):
    spec = importlib.util.spec_from_file_location("template", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["template"] = module
    spec.loader.exec_module(module)
    function = getattr(module, name)
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    said[key := f"{pathlib.Path(path).stem}.{name}"] = "returned"
    try:
        function(*[None] * len(needed))
    except NotImplementedError as error:
        said[key] = str(error)
json.dump(said, sys.stdout)
"""


def template(module):
    return ROOT / "student_template" / f"{module}.py"


def test_the_committed_templates_are_current():
    assert [str(stale) for stale in check(ROOT, MANIFESTS)] == []


def test_all_that_is_handed_out_is_a_template_given_by_an_assignment_a_readme_or_makes_a_repository_of_it():
    templates = {f"{module}.py" for m in MANIFESTS for module in m.programs}
    given = {name for m in MANIFESTS for name in m.given_files}
    there = {path.name for path in (ROOT / "student_template").iterdir() if path.name != "__pycache__"}
    assert there == templates | given | {"README.md", "README.zh-TW.md"} | {".github", ".gitignore"}


def test_every_function_of_a_numpy_template_raises_its_own_exercise_with_numpy_alone():
    calls = [(str(template(module)), name) for module, name, _ in EXERCISES if module in ONLY_NUMPY]
    run = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", CALL_ALL],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    assert json.loads(run.stdout) == {
        f"{module}.{name}": exercise for module, name, exercise in EXERCISES if module in ONLY_NUMPY
    }


@pytest.mark.parametrize("module", sorted({module for module, _, _ in EXERCISES}))
def test_no_marker_and_no_answer_is_left(module):
    text = template(module).read_text("utf-8")
    assert "SOLUTION" not in text
    asked = {name for m, name, _ in EXERCISES if m == module}
    tree = ast.parse(text)
    kept = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name not in asked]
    assert not [node.name for node in kept if node.name.startswith("_")]


def named(tree, name):
    """A function or class of a module, or a method of one of its classes."""
    outer, _, method = name.partition(".")
    [node] = [each for each in tree.body if getattr(each, "name", None) == outer]
    return named(node, method) if method else node


def signature(node):
    return node.name, ast.dump(node.args), ast.dump(node.returns), ast.get_docstring(node)


def is_private(name):
    return name.startswith("_") and not name.endswith("__")


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, name, _ in EXERCISES])
def test_signature_and_docstring_are_those_of_the_reference(module, name):
    def contract(path):
        node = named(ast.parse(path.read_text("utf-8")), name)
        if isinstance(node, ast.ClassDef):
            bases = [ast.dump(base) for base in node.bases]
            return (
                bases,
                [
                    signature(each)
                    for each in node.body
                    if isinstance(each, ast.FunctionDef) and not is_private(each.name)
                ],
                ast.get_docstring(node),
            )
        return signature(node)

    assert contract(template(module)) == contract(ROOT / "reference" / f"{module}.py")
    assert contract(template(module))[-1]
