"""Which notebook is which module, and what becomes of one that is nobody's."""

from __future__ import annotations

import sys

import pytest

from grader.intake.notebook.stand_in import StandIn, Wanted, stand_in

MOST = 1_000_000
F = "def f(): return 1"


@pytest.fixture
def taken(notebook):
    def take(files: dict[str, bytes], *modules: str, lacking: set[str] | None = None) -> StandIn:
        return stand_in(
            Wanted(modules, set(modules) if lacking is None else lacking, MOST), list(files), files.__getitem__
        )

    return take


@pytest.mark.parametrize("name", ["a.ipynb", "A (1).ipynb", "homework.ipynb"])
def test_the_only_notebook_is_the_only_module(taken, notebook, name):
    found = taken({name: notebook(F), "notes.txt": b""}, "a.py")
    assert F in found.files["a.py"].decode()
    assert (found.used, found.refused) == ({name}, {})


def test_each_notebook_is_the_module_that_it_is_named_as(taken, notebook):
    found = taken(
        {"attention.ipynb": notebook(F), "masking.ipynb": notebook("def g(): pass")}, "attention.py", "masking.py"
    )
    assert [(name, b"def g" in found.files[name]) for name in sorted(found.files)] == [
        ("attention.py", False),
        ("masking.py", True),
    ]


def test_a_module_that_is_there_is_not_made(taken, notebook):
    assert taken({"a.ipynb": notebook(F)}, "a.py", lacking=set()).files == {}


def test_one_notebook_may_hold_several_modules_where_its_cells_are_marked(taken, notebook):
    content = notebook("import math", f"# exercise: attention.f\n{F}", "# exercise: masking.g\ndef g(): pass", "x = 1")
    found = taken({"hw.ipynb": content}, "attention.py", "masking.py", "positions.py")
    assert sorted(found.files) == ["attention.py", "masking.py"]
    assert b"def g" not in found.files["attention.py"]
    assert found.used == {"hw.ipynb"}


def test_an_unmarked_notebook_of_another_name_is_no_guess_where_several_modules_are_wanted(taken, notebook):
    found = taken({"hw.ipynb": notebook(F)}, "attention.py", "masking.py")
    assert (found.files, found.used, found.refused) == ({}, set(), {})


def test_of_two_notebooks_that_may_be_meant_none_is_taken(taken, notebook):
    found = taken({"attention 1.ipynb": notebook(F), "attention 2.ipynb": notebook(F)}, "attention.py", "masking.py")
    assert found.files == {}


def test_two_notebooks_with_cells_of_one_module_are_told(taken, notebook):
    marked = notebook(f"# exercise: attention.f\n{F}")
    found = taken({"x.ipynb": marked, "y.ipynb": marked}, "attention.py", "masking.py")
    assert list(found.files) == ["attention.py"]
    assert found.notes[-1].message == "another notebook has cells of attention.py too"


def test_one_that_cannot_be_read_is_told_as_the_module_that_it_should_be(taken):
    found = taken({"attention.ipynb": b"{", "hw.ipynb": b"{"}, "attention.py", "masking.py")
    problem = found.refused["attention.py"]
    assert problem.file == "attention.py"
    assert problem.message.startswith("attention.ipynb was handed in instead, and it is no notebook")
    assert [note.file for note in found.notes] == ["hw.ipynb"]


def test_one_without_code_is_told(taken, notebook):
    message = taken({"a.ipynb": notebook("print(1)")}, "a.py").refused["a.py"].message
    assert message == "a.ipynb was handed in instead, and no code cell of it can be read"


def test_a_read_that_fails_is_told(notebook):
    def denied(name: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    found = stand_in(Wanted(["a.py"], ["a.py"], MOST), ["a.ipynb"], denied)
    assert found.refused["a.py"].ours


def test_without_a_reader_of_notebooks_the_fault_is_ours(taken, notebook, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbformat", None)
    problem = taken({"a.ipynb": notebook(F)}, "a.py").refused["a.py"]
    assert (problem.file, problem.ours) == ("a.py", True)


def test_a_module_has_the_same_limit_as_one_that_is_handed_in(notebook):
    content = notebook("x = 1\n" * 50)
    assert (
        "too large" in stand_in(Wanted(["a.py"], ["a.py"], 320), ["a.ipynb"], lambda _: content).refused["a.py"].message
    )
