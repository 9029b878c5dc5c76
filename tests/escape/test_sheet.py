from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.escape.sheet import cell
from grader.escape.terminal import line
from tests.escape.enemy import TEXT

FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


def cells(text: str, delimiter: str) -> list[str]:
    rows = list(csv.reader(io.StringIO(f'"ada",{cell(text)},1.5\n'), delimiter=delimiter))
    assert len(rows) == 1
    return rows[0]


@given(TEXT)
@example("=1+1")
@example("  =1+1")
@example('"=1+1')
@example("\t=1+1")
def test_a_spreadsheet_finds_one_cell_of_text(text):
    first, found, last = cells(text, ",")
    assert (first, last) == ("ada", "1.5")
    assert not found.lstrip().startswith(tuple(FORMULA))
    assert found.replace("'", "") == line(text).replace("'", "")


@given(TEXT)
@example("a;=1+1")
@example('a;"=1+1"')
@example("a; '=1+1")
def test_where_cells_are_split_at_semicolons_none_is_a_formula_either(text):
    for found in cells(text, ";"):
        assert not found.lstrip(' "').startswith(tuple(FORMULA))


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\uff1d1", " =1"])
def test_a_formula_becomes_text_that_reads_the_same(text):
    assert cell(text) == f'"\'{text}"'


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_a_number_stays_a_number(number):
    assert type(number)(cell(number)) == number


def test_a_negative_number_is_no_formula_and_nothing_is_an_empty_cell():
    assert cell(-1.5) == "-1.5"
    assert cell(None) == ""
