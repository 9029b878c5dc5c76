"""A region holds whole statements of one block, indented as its markers."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from grader.model.errors import CourseError
from grader.template.markers import find_regions
from grader.template.placing import Place, place
from grader.template.source import split_lines


def placed(source):
    text = dedent(source)
    [region] = find_regions(text, "m.py")
    return place(region, ast.parse(text), split_lines(text), "m.py")


def refusal(source):
    with pytest.raises(CourseError) as caught:
        placed(source)
    assert caught.value.where == "m.py"
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# BEGIN SOLUTION\nx = 1\n# END SOLUTION\n", Place(None, in_function=False)),
        ("def f():\n    # BEGIN SOLUTION\n    x = 1\n    # END SOLUTION\n", Place("f", in_function=True)),
        ("def f():\n    x = 1\n# BEGIN SOLUTION\ny = 1\n# END SOLUTION\n", Place(None, in_function=False)),
        ("class C:\n    # BEGIN SOLUTION\n    x = 1\n    # END SOLUTION\n", Place("C", in_function=False)),
        (
            "class C:\n    async def m(self):\n        # BEGIN SOLUTION\n        x = 1\n        # END SOLUTION\n",
            Place("C", in_function=True, method="m"),
        ),
        (
            "def f():\n    class C:\n        # BEGIN SOLUTION\n        x = 1\n        # END SOLUTION\n",
            Place("f", in_function=True),
        ),
        ("if 1:\n    # BEGIN SOLUTION\n    x = 1\n    # END SOLUTION\n", Place(None, in_function=False)),
        (
            dedent("""\
                def f():
                    # BEGIN SOLUTION
                    x = 1; y = 2
                    if x:
                        y = 3
                    else:
                        y = 4
                    z = '''
                flush left'''
                    # END SOLUTION
                    return z
                """),
            Place("f", in_function=True),
        ),
    ],
)
def test_the_outermost_definition_owns_the_region(source, expected):
    assert placed(source) == expected


@pytest.mark.parametrize("inside", ["", "    # only a comment\n", "\n\n"])
def test_a_region_without_a_statement_is_refused(inside):
    error = refusal(f"def f():\n    # BEGIN SOLUTION\n{inside}    # END SOLUTION\n    return 1\n")
    assert error.line == 2
    assert "holds no statement" in error.message


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f():\n# BEGIN SOLUTION\n    return 1\n# END SOLUTION\n", 3),
        ("def f():\n        # BEGIN SOLUTION\n    return 1\n        # END SOLUTION\n", 3),
        ("def f():\n\t# BEGIN SOLUTION\n        return 1\n\t# END SOLUTION\n", 3),
        ("if 1:\n    # BEGIN SOLUTION\n    x = 1\ny = 2\nif 2:\n    z = 1\n    # END SOLUTION\n", 4),
        ("if 1:\n    x = 1\n    # BEGIN SOLUTION\nelse:\n    y = 2\n    # END SOLUTION\n", 4),
    ],
)
def test_markers_indented_otherwise_than_what_they_hold_are_refused(source, line):
    error = refusal(source)
    assert error.line == line
    assert "indented otherwise than its region's markers" in error.message


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(x):\n    # BEGIN SOLUTION\n    for i in x:\n        a = 1\n    # END SOLUTION\n        b = 2\n", 3),
        (
            "def f(x):\n    # BEGIN SOLUTION\n    if x:\n        a = 1\n    # END SOLUTION\n    else:\n        b = 2\n",
            3,
        ),
        (
            "def f(x):\n    if x:\n        a = 1\n    # BEGIN SOLUTION\n    else:\n        b = 2\n    # END SOLUTION\n",
            2,
        ),
        ("@property\n# BEGIN SOLUTION\ndef f(x):\n    return 1\n# END SOLUTION\n", 1),
        ("# BEGIN SOLUTION\n@property\n# END SOLUTION\ndef f(x):\n    return 1\n", 2),
    ],
)
def test_a_region_that_cuts_through_a_statement_is_refused(source, line):
    error = refusal(source)
    assert error.line == line
    assert "is cut by the region" in error.message


def test_a_region_that_takes_the_docstring_away_is_refused():
    error = refusal('def f():\n    # BEGIN SOLUTION\n    """Contract."""\n    return 1\n    # END SOLUTION\n')
    assert error.line == 3
    assert "docstring of `f`" in error.message
