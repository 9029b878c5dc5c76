"""Text, lines and their numbers as Python itself sees them."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import CourseError
from grader.template.source import first_line, logical_lines, read, split_lines


@given(st.text(st.sampled_from("ab \t\f\x0b\x1c\x85\u2028\r\n")))
def test_the_lines_joined_are_the_text_and_only_line_feeds_and_returns_end_them(text):
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(lines) == len(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")) * bool(text)


def test_statements_and_clauses_begin_logical_lines_and_their_continuations_do_not():
    lines = split_lines("# c\nx = [\n1]\n\nif x:\n    y = '''\n'''\nelse:\n    z = \\\n 2\n")
    assert logical_lines(lines) == [2, 5, 6, 8, 9]


def test_a_definition_begins_at_its_first_decorator():
    [statement] = ast.parse("@a\n@b\ndef f(): pass\n").body
    assert first_line(statement) == 1


def test_a_missing_reference_is_refused(tmp_path):
    with pytest.raises(CourseError, match="no such reference") as caught:
        read(tmp_path / "gone.py")
    assert caught.value.where == tmp_path / "gone.py"


@pytest.mark.parametrize(("data", "line"), [(b"\xe9", 1), (b"x = 1\n# \xe9\n", 2), (b"x\r\ny\r\n'\xe9'", 3)])
def test_a_reference_that_is_not_utf_8_is_refused_with_its_line(tmp_path, data, line):
    path = tmp_path / "latin.py"
    path.write_bytes(data)
    with pytest.raises(CourseError, match="byte 0xe9 is not UTF-8") as caught:
        read(path)
    assert caught.value.line == line
