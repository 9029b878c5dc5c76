"""Cells are read from any version of the format, and what is no notebook is the student's to mend."""

from __future__ import annotations

import json
import sys

import pytest

from grader.intake.base import Refused
from grader.intake.notebook.cells import NoReaderError, code_cells

MOST = 1_000_000


def sources(content: bytes) -> list[str]:
    return [cell.source for cell in code_cells("a.ipynb", content, MOST)]


def test_cells_are_counted_from_the_top_texts_too(notebook):
    content = json.loads(notebook("x = 1\n", "y = 2"))
    text = {"cell_type": "markdown", "id": "m", "metadata": {}, "source": ["# Title"]}
    content["cells"].insert(1, text)
    found = code_cells("a.ipynb", json.dumps(content).encode(), MOST)
    assert [(cell.number, cell.source) for cell in found] == [(1, "x = 1\n"), (3, "y = 2")]


def test_an_old_notebook_is_read():
    cell = {"cell_type": "code", "language": "python", "collapsed": False, "input": ["x = 1\n", "y = 2"], "outputs": []}
    old = {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": [cell], "metadata": {}}],
    }
    assert sources(json.dumps(old).encode()) == ["x = 1\ny = 2"]


def test_a_notebook_of_an_older_minor_version_without_ids_is_read(notebook):
    assert sources(notebook("x = 1", minor=2)) == ["x = 1"]


def test_a_byte_order_mark_and_line_ends_of_windows_are_fine(notebook):
    assert sources(b"\xef\xbb\xbf" + notebook("x = 1\r\ny = 2\rz = 3")) == ["x = 1\ny = 2\nz = 3"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no json",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"1",
        b"[" * 100_000,
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 7}',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [7]}',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": 7}]}',
        b'{"nbformat": 99, "nbformat_minor": 5, "metadata": {}, "cells": []}',
        b'{"nbformat": "x", "metadata": {}, "cells": []}',
    ],
)
def test_what_is_no_notebook_is_refused_with_what_to_do(content):
    with pytest.raises(Refused) as caught:
        code_cells("a.ipynb", content, MOST)
    assert (caught.value.problem.file, caught.value.problem.ours) == ("a.ipynb", False)
    assert "hand in again" in caught.value.problem.hint


def test_a_notebook_in_another_language_is_told_at_once(notebook):
    with pytest.raises(Refused, match="it is a notebook in r, not in Python"):
        code_cells("a.ipynb", notebook("x <- 1", language_info={"name": "R"}), MOST)


def test_code_has_a_limit_and_what_cells_printed_has_another(notebook):
    content = json.loads(notebook("x = 1"))
    content["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 1000}]
    assert code_cells("a.ipynb", json.dumps(content).encode(), 100)[0].source == "x = 1"
    with pytest.raises(Refused, match="its code is larger than"):
        code_cells("a.ipynb", notebook("x" * 101), 100)


def test_a_label_is_a_tag_a_marker_or_what_nbgrader_calls_the_cell(notebook):
    content = notebook(
        ("x = 1", {"tags": ["attention.softmax", 7]}),
        "  # Exercise: attention.qkv\nx = 1",
        ("x = 1", {"nbgrader": {"grade_id": "attention.steps", "solution": True}}),
        ("assert x", {"nbgrader": {"grade_id": "test", "grade": True, "solution": False}}),
        ("x = 1", {"tags": "attention.softmax", "nbgrader": 7}),
    )
    found = code_cells("a.ipynb", content, MOST)
    assert [set(cell.labels) for cell in found] == [
        {"attention.softmax"},
        {"attention.qkv"},
        {"attention.steps"},
        {"test"},
        set(),
    ]
    assert [cell.is_test for cell in found] == [False, False, False, True, False]


def test_without_a_reader_of_notebooks_the_fault_is_ours(notebook, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbformat", None)
    with pytest.raises(NoReaderError) as caught:
        code_cells("a.ipynb", notebook("x = 1"), MOST)
    problem = caught.value.problem("a.ipynb")
    assert problem.ours
    assert "pip install 'rowwise[notebook]'" in problem.hint
