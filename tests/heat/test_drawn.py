"""Two matrices as they are drawn: one scale, numbers that fit, sums, and marks that need no colour."""

from __future__ import annotations

import pytest

from grader.heat.drawn import SHADES, drawn, number
from grader.model.evidence import HeatMap

COLUMNS = HeatMap(what="the weights", got=[[0.2, 0.4], [0.8, 0.6]], right=[[0.5, 0.5], [0.25, 0.75]])


def test_the_sums_of_rows_and_columns_are_those_of_the_numbers():
    yours, right = drawn(COLUMNS).panels
    assert [cell.text for cell in yours.sums] == ["0.6", "1.4", "1", "1"]
    assert [cell.text for cell in right.sums] == ["1", "1", "0.75", "1.25"]


def test_a_row_whose_sum_is_wrong_is_marked_and_no_column_is():
    yours, right = drawn(COLUMNS).panels
    assert [cell.differs for cell in yours.sums] == [True, True, False, False]
    assert not any(cell.differs for cell in [*right.sums, *right.cells])


def test_an_entry_that_is_not_the_right_one_is_marked_to_six_digits():
    heat = HeatMap(what="w", got=[[0.333333, 0.666667], [0.5, 0.4999]], right=[[0.333334, 0.666666], [0.5, 0.5]])
    assert [cell.differs for cell in drawn(heat).panels[0].cells] == [False, False, False, True]
    assert drawn(heat).differs
    assert not drawn(HeatMap(what="w", got=heat.right, right=heat.right)).differs


def test_both_matrices_have_one_scale():
    yours, right = drawn(HeatMap(what="w", got=[[-4.0, 0.0]], right=[[2.0, 1.0]])).panels
    assert [cell.shade for cell in yours.cells] == [SHADES - 1, 0]
    assert [cell.shade for cell in right.cells] == [4, 2]


def test_a_matrix_of_another_shape_differs_as_a_whole():
    found = drawn(HeatMap(what="w", got=[[1.0], [1.0]], right=[[1.0, 1.0]]))
    assert found.differs
    assert not any(cell.differs for cell in found.panels[0].cells)


def test_what_is_not_finite_is_said_and_so_is_its_sum():
    yours, _ = drawn(HeatMap(what="w", got=[[None, 1.0]], right=[[0.0, 1.0]])).panels
    assert [cell.text for cell in [*yours.cells, *yours.sums]] == ["NaN/∞", "1", "NaN/∞", "NaN/∞", "1"]


def test_nothing_but_zeros_has_a_scale_too():
    assert [cell.shade for cell in drawn(HeatMap(what="w", got=[[0.0]], right=[[0.0]])).panels[0].cells] == [0]


@pytest.mark.parametrize(
    ("x", "text"),
    [(1 / 6, "0.167"), (1.0, "1"), (0.0, "0"), (-0.25, "-0.25"), (1e-9, "1.0e-09"), (123456.0, "1.2e+05")],
)
def test_a_number_fits_its_cell(x, text):
    assert number(x) == text
    assert len(text) <= 7


def test_the_numbers_stand_in_tables_too():
    yours, _ = drawn(COLUMNS).panels
    assert yours.table == [["0.2", "0.4", "0.6"], ["0.8", "0.6", "1.4"], ["1", "1", ""]]
