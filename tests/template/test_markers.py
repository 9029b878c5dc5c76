"""Markers are comments alone on their line, in pairs; whatever else looks like one is refused."""

from __future__ import annotations

from textwrap import dedent

import pytest

from grader.model.errors import CourseError
from grader.template.markers import Region, find_regions


def regions(source):
    return find_regions(dedent(source), "m.py")


def refusal(source):
    with pytest.raises(CourseError) as caught:
        regions(source)
    assert caught.value.where == "m.py"
    assert caught.value.hint
    return caught.value


def test_regions_come_in_order_with_their_lines_and_indent():
    assert regions("""\
        # BEGIN SOLUTION
        x = 1
        # END SOLUTION
        if x:
            ### BEGIN SOLUTION
            y = 2
            ### END SOLUTION
        """) == [Region(1, 3, ""), Region(5, 7, "    ")]


def test_a_marker_may_have_trailing_blanks_and_either_form_may_close_the_other():
    assert regions("# BEGIN SOLUTION  \nx = 1\n### END SOLUTION\t\n") == [Region(1, 3, "")]


@pytest.mark.parametrize(
    "source",
    [
        "'# BEGIN SOLUTION'\n",
        '"""\n# BEGIN SOLUTION\n"""\n',
        "x = '''\n    # END SOLUTION\n'''\n",
        'f"""\n# BEGIN SOLUTION\n{1}"""\n',
        "x = 1  # see the BEGIN SOLUTION above\n",
        "# the end of this solution\n",
        "# BEGINNING\n# SOLUTION\n",
    ],
)
def test_strings_and_talk_are_no_markers(source):
    assert regions(source) == []


@pytest.mark.parametrize("word", ["BEGIN", "END"])
@pytest.mark.parametrize(
    "form",
    [
        "#{} SOLUTION",
        "## {} SOLUTION",
        "#### {} SOLUTION",
        "#  {} SOLUTION",
        "# {}  SOLUTION",
        "# {} SOLUTIONS",
        "# {} SOLUTION: softmax",
        "# {}_SOLUTION",
        "# --- {} SOLUTION ---",
        "# {}-solution",
    ],
)
def test_what_is_almost_a_marker_is_refused_for_it_would_hand_the_solution_out(form, word):
    error = refusal(f"x = 1\n{form.format(word)}\n")
    assert error.line == 2
    assert "almost a solution marker" in error.message


def test_small_letters_are_almost_a_marker():
    assert "almost" in refusal("# begin solution\n").message


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1  # BEGIN SOLUTION\n", 1),
        ("# BEGIN SOLUTION\nx = 1  # END SOLUTION\n", 2),
        ("x = [\n    # BEGIN SOLUTION\n    1,\n]\n", 2),
        ("def f(\n    a,\n    # END SOLUTION\n): pass\n", 3),
    ],
)
def test_a_marker_inside_a_statement_is_refused(source, line):
    error = refusal(source)
    assert error.line == line
    assert "inside a statement" in error.message


def test_a_marker_inside_a_statement_is_found_after_brackets_in_strings():
    assert regions("x = '(['\n# BEGIN SOLUTION\ny = f'{x}{{'\n# END SOLUTION\n") == [Region(2, 4, "")]


def test_nested_regions_are_refused():
    error = refusal("# BEGIN SOLUTION\nx = 1\n# BEGIN SOLUTION\ny = 2\n# END SOLUTION\n# END SOLUTION\n")
    assert error.line == 3
    assert "inside the region that begins in line 1" in error.message


def test_a_region_that_is_never_ended_is_refused():
    error = refusal("# BEGIN SOLUTION\nx = 1\n# END SOLUTION\n# BEGIN SOLUTION\ny = 1\n")
    assert error.line == 4
    assert "never ended" in error.message


@pytest.mark.parametrize(
    ("source", "line"),
    [("x = 1\n# END SOLUTION\n", 2), ("# BEGIN SOLUTION\nx = 1\n# END SOLUTION\n# END SOLUTION\n", 4)],
)
def test_a_stray_end_is_refused(source, line):
    error = refusal(source)
    assert error.line == line
    assert "without a BEGIN SOLUTION" in error.message


@pytest.mark.parametrize("end", ["# END SOLUTION", "        # END SOLUTION", "\t# END SOLUTION"])
def test_partners_are_indented_alike(end):
    error = refusal(f"if 1:\n    # BEGIN SOLUTION\n    x = 1\n{end}\n")
    assert error.line == 4
    assert "indented otherwise than the BEGIN SOLUTION in line 2" in error.message


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_are_counted_whatever_ends_them(end):
    source = end.join(["'\f \x1c \u2028'", '"""', '"""', "# BEGIN SOLUTION", "x = 1", "# END SOLUTION"])
    assert find_regions(source, "m.py") == [Region(4, 6, "")]
