"""A module made of cells: what is in it, where, and what its student is told."""

from __future__ import annotations

import pytest

from grader.intake.notebook.cells import code_cells
from grader.intake.notebook.module import Module, made
from grader.intake.notebook.plain import plain_texts

MOST = 1_000_000


@pytest.fixture
def module(notebook):
    def make(*cells, whole: bool = True) -> Module | None:
        found = code_cells("attention.ipynb", notebook(*cells), MOST)
        texts = plain_texts([cell.source for cell in found])
        return made("attention.ipynb", "attention.py", list(zip(found, texts, strict=True)), whole=whole)

    return make


def namespace(module: Module) -> dict:
    space: dict = {}
    exec(compile(module.content, module.name, "exec"), space)  # noqa: S102 - ours
    return space


def told(module: Module) -> list[str]:
    return [problem.message for problem in module.problems]


def test_without_marks_what_defines_is_taken_and_what_runs_is_told(module):
    found = module(
        "import math\nN = 3", "def f(x):\n    return x + N\n\nprint(f(1))\n1 / 0", "plot = f(2)", "%time f(3)"
    )
    assert namespace(found)["f"](1) == 4
    assert told(found) == [
        "left out of attention.py: cell 2, lines 4 to 5; cell 3; cell 4",
        "it was read as attention.py: lines 5 to 6 are cell 1; lines 9 to 13 are cell 2",
    ]


def test_a_line_for_a_shell_in_a_function_is_told_too(module):
    found = module("def f():\n    !ls\n    return 1")
    assert namespace(found)["f"]() == 1
    assert told(found)[0] == "left out of attention.py: cell 1, line 2"


def test_a_line_of_the_module_is_where_the_words_say(module):
    found = module("x = 1", "\n\ndef f():\n    pass\n")
    lines = found.content.decode().split("\n")
    [(_, first, last)] = [place for place in found.places if place[0] == 2]
    assert lines[first - 1 : last][2] == "def f():"
    assert lines[first - 2] == "# cell 2"
    assert told(found) == [f"it was read as attention.py: line 5 is cell 1; lines {first} to {last} are cell 2"]


def test_of_a_function_that_is_written_twice_the_last_counts_and_both_places_are_told(module):
    found = module("def f(): return 1\nf()", "def g(): pass", "def f(): return 2", "def f(): return 3\ndef g(): pass")
    assert namespace(found)["f"]() == 3
    assert told(found)[:2] == [
        "f is defined 3 times, in cells 1, 3 and 4: the last one counts",
        "g is defined 2 times, in cells 2 and 4: the last one counts",
    ]


def test_a_function_that_is_written_twice_in_one_cell_is_told_too(module):
    assert "f is defined 2 times, in cell 1: the last one counts" in told(
        module("def f(): return 1\ndef f(): return 2")
    )


def test_a_cell_with_an_error_costs_itself_alone(module):
    found = module("def f(): return 1", "x = 1\ndef g(:\n    pass", "def h(): return 3")
    assert {"f", "h"} <= namespace(found).keys()
    assert told(found)[0] == "cell 2, line 2: invalid syntax; the cell was left out"


@pytest.mark.parametrize(
    "mark", [{"tags": ["attention.softmax"]}, {"tags": ["submission"]}, {"nbgrader": {"grade_id": "attention.softmax"}}]
)
def test_marked_cells_are_taken_whole_with_the_imports_of_all(module, mark):
    found = module("import math\nx = 1", ("y = math.factorial(3)\ndef f(): return y", mark), "def f(): return 0")
    assert namespace(found)["f"]() == 6
    assert "x" not in namespace(found)
    assert told(found)[0] == "left out of attention.py: cell 1, line 2; cell 3"
    assert found.problems[0].hint.startswith("cells without a mark")


def test_a_marker_comment_marks_a_cell(module):
    found = module("# exercise: attention.softmax\ndef f(): return 1", "def f(): return 2")
    assert namespace(found)["f"]() == 1


def test_marks_of_another_module_are_none_of_this(module):
    assert module(("def f(): pass", {"tags": ["masking.apply"]}), whole=False) is None
    assert module(("def f(): pass", {"tags": ["submission"]}), whole=False) is None
    assert module(("def f(): pass", {"tags": ["attention.softmax"]}), whole=False) is not None


def test_a_cell_that_writes_the_file_is_the_file(module):
    found = module("def f(): return 1", "%%writefile attention.py\ndef f(): return 2\nx = f()", whole=False)
    assert (namespace(found)["f"](), namespace(found)["x"]) == (2, 2)
    assert "def f(): return 3" not in module("x = 1", "%%writefile other.py\ndef f(): return 3").content.decode()


def test_cells_with_which_the_course_tests_are_left_out(module):
    found = module("def f(): return 1", ("def f(): return 2", {"nbgrader": {"grade": True, "solution": False}}))
    assert namespace(found)["f"]() == 1


def test_a_statement_that_shares_a_line_with_one_that_is_taken_is_taken_whole(module):
    found = module("x = 1; y = max(\n    2,\n    3,\n); z = min(\n    4, 5)\nprint(x)")
    assert {name: namespace(found)[name] for name in "xyz"} == {"x": 1, "y": 3, "z": 4}
    assert told(found)[0] == "left out of attention.py: cell 1, line 6"


def test_however_often_something_is_there_twice_the_words_stay_few(module):
    names = "\n".join(f"def f{n}(): pass\ndef f{n}(): pass" for n in range(200))
    assert len(told(module(names, *["def f(): pass"] * 200))) < 40
    assert max(map(len, told(module(*["def f(): pass"] * 2000)))) < 2000


def test_an_import_from_the_future_stands_first_wherever_it_was(module):
    found = module("x = 1", "from __future__ import annotations\ndef f(a: Nothing): return a")
    assert namespace(found)["f"](2) == 2


def test_no_comment_of_a_student_says_how_the_file_is_encoded(module):
    found = module("# coding: utf-16\n# -*- coding: rot13 -*-\nx = '\u738b'")
    assert namespace(found)["x"] == "\u738b"


def test_half_a_surrogate_pair_does_no_harm(module):
    assert namespace(module("x = '\ud800'"))["x"] == "?"


def test_where_nothing_can_be_taken_there_is_no_module(module):
    assert module("print(1)", "1 / 0") is None
    assert module("def f(:") is None
    assert module() is None


def test_imports_stand_before_what_needs_them_wherever_their_cell_is(module):
    found = module("Array = np.ndarray", "def f(x):\n    return x", "import numpy as np\nimport math")
    source = found.content.decode()
    assert source.index("import numpy as np") < source.index("Array = np.ndarray") < source.index("def f")
    assert [place.cell for place in found.places] == [1, 2, 3]
