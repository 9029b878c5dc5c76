"""A heat map in a terminal of any width, with blocks or digits."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from grader.kit.picturing.blocks import BLOCKS, DIGITS, key, marks_for, plotted
from tests.kit.picturing.heats import COLUMNS, LARGE, SAME, heat


def drawn(drawing, language="en", width=80, marks=BLOCKS) -> list[str]:
    return list(plotted(drawing, language, width, marks))


def test_blocks_values_and_sums_stand_beside_the_right_ones():
    assert drawn(COLUMNS) == [
        "the weights",
        "Yours                     Right",
        "     0     1   Σ               0     1   Σ",
        "   ░░░░░ ▒▒▒▒▒               ▓▓▓▓▓ ▓▓▓▓▓",
        " 0 0.2*  0.4*  0.6 ✗       0  0.5   0.5  1",
        "   █████ ▓▓▓▓▓               ░░░░░ █████",
        " 1 0.8*  0.6*  1.4 ✗       1 0.25  0.75  1",
        " Σ   1     1               Σ 0.75  1.25",
        "Each row should sum to 1.",
        "✗ Not so in yours: row 0, row 1. It is your columns that sum to 1.",
        "✗ 4 of 4 entries are not right.",
    ]


def test_right_ones_have_no_mark():
    assert not any(mark in line for line in drawn(SAME) for mark in "✗*")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("marks", [BLOCKS, DIGITS], ids=["blocks", "digits"])
def test_no_line_is_wider_than_the_terminal(width, language, marks):
    four = heat([[-0.123456, None, 1e-9, 2e9]] * 4, [[0.125, 0.25, 0.5, 0.125]] * 4, "a long name " * 16)
    for each in (COLUMNS, LARGE, four):
        lines = [*plotted(each, language, width, marks), *key(language, width, marks)]
        assert max(map(cell_len, lines)) <= width


def test_a_narrow_terminal_has_one_below_the_other():
    lines = drawn(heat([[0.125] * 4] * 4, [[0.25] * 4] * 4), width=60)
    assert "Right" in lines
    assert any("0.125*" in line for line in lines)


def test_a_large_matrix_is_drawn_small_and_its_first_wrong_entries_are_told():
    lines = drawn(LARGE)
    assert not any("0.083" in line for line in lines[:14])
    assert sum("✗" in line for line in lines[:14]) == 1
    assert "[3, 1]: yours 0.75, right 0.25" in lines
    assert any(line.startswith("Right: the columns sum to 3.103,") for line in lines)


def test_without_unicode_there_is_none():
    odd = heat([[None, 1.0]], [[0.0, 1.0]])
    for each in (COLUMNS, LARGE, odd):
        assert "\n".join([*drawn(each, marks=DIGITS), *key("en", 80, DIGITS)]).isascii()
    assert any("NaN/inf" in line for line in drawn(odd, marks=DIGITS))


def test_the_smallest_digit_is_0_and_the_largest_9():
    [row] = [line for line in drawn(heat([[0.0, 0.5, 1.0]], [[0.0, 0.5, 1.0]]), marks=DIGITS) if "9999" in line]
    assert row.split()[:3] == ["0000", "5555", "9999"]


@pytest.mark.parametrize(
    ("encoding", "environment", "marks"),
    [
        ("utf-8", {}, BLOCKS),
        ("UTF8", {"NO_COLOR": ""}, BLOCKS),
        ("utf-8", {"NO_COLOR": "1"}, DIGITS),
        ("ascii", {}, DIGITS),
        ("cp950", {}, DIGITS),
        ("no such", {}, DIGITS),
        (None, {}, DIGITS),
    ],
)
def test_who_is_shown_blocks(encoding, environment, marks):
    assert marks_for(encoding, environment) is marks
