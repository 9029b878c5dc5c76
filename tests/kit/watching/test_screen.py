from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from grader.kit.folding import folded
from grader.kit.watching.screen import Screen, laid_out
from grader.kit.watching.view import Line, View
from tests.escape.enemy import TEXT, active

VIEW = View(
    Line("toy.double  Twice  (0 of 2 finished)", "title"),
    [Line("toy.double   failed", "failed"), *(Line(f"    row {number}") for number in range(30))],
    [Line("    a hint", "idea"), Line("really?", "ask")],
    "n next  h hint  q quit",
    "watching",
    "... and {} lines more".format,
)


def drawn(width: int, height: int, view: View = VIEW, **options: object) -> str:
    file = io.StringIO()
    Screen(file, force_terminal=True, width=width, height=height, legacy_windows=False, **options).draw(view)
    return file.getvalue()


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.integers(12, 120))
def test_no_row_is_wider_than_the_screen_and_no_word_is_lost(text: str, width: int) -> None:
    rows = folded(text, width)
    assert all(cell_len(row) <= width for row in rows)
    kept = "".join("".join(row.split()) for row in rows)
    assert kept == "".join(folded(text, 10_000)[0].split())


@given(TEXT)
def test_nothing_that_a_student_wrote_acts_on_the_terminal(text: str) -> None:
    for row in folded(text.encode("utf-8", "replace").decode(), 80):
        assert active(row, but="") == []


def test_what_is_carried_over_stands_further_in() -> None:
    assert folded("    one two three four", 14) == ["    one two", "      three", "      four"]


def test_chinese_breaks_anywhere_but_before_its_punctuation() -> None:
    assert folded("先說清楚是誰把一單位，分給誰。", 20) == ["先說清楚是誰把一單", "    位，分給誰。"]  # noqa: RUF001  # Chinese punctuation


@pytest.mark.parametrize("height", [8, 12, 24, 60])
@pytest.mark.parametrize("width", [12, 40, 80, 120])
def test_a_screen_fits_and_its_end_stays_in_sight(width: int, height: int) -> None:
    rows = laid_out(VIEW, width, height)
    assert len(rows) < height
    text = "\n".join(row for row, _ in rows)
    assert "really?" in text
    assert "quit" in text
    if height == 24 and width >= 40:
        assert "lines more" in text


def test_colour_is_left_out_where_it_is_not_wanted(monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31m" in drawn(80, 24, color_system="standard")
    monkeypatch.setenv("NO_COLOR", "1")
    without = drawn(80, 24, color_system="standard")
    assert "\x1b[1;31m" not in without
    assert "toy.double   failed" in without


def test_the_last_line_is_cut_before_the_last_column() -> None:
    file = io.StringIO()
    screen = Screen(file, force_terminal=True, width=20, height=10, legacy_windows=False, no_color=True)
    screen.foot("x" * 50)
    assert file.getvalue().count("x") == 18


def test_a_screen_that_has_another_size_is_to_be_drawn_again(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    screen = Screen(io.StringIO(), force_terminal=True, legacy_windows=False)
    screen.draw(VIEW)
    assert not screen.resized
    screen._console.size = (40, 24)
    assert screen.resized
