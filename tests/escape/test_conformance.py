"""What every landing place promises."""

from __future__ import annotations

import pytest
from hypothesis import given

from grader.escape.registry import LANDINGS
from tests.escape.enemy import CHINESE, ORDINARY, TEXT, active

every = pytest.mark.parametrize("place", LANDINGS)
# These two are for text of many lines.
KEPT = {"block of a terminal": "\n\t", "html": "\n\t"}
WITHIN_ITSELF = ("line of a terminal", "block of a terminal")


@every
@given(text=TEXT)
def test_nothing_that_acts_on_a_terminal_is_left(place, text):
    assert active(LANDINGS[place](text), but=KEPT.get(place, "")) == []


@every
@given(text=TEXT)
def test_what_comes_out_can_be_written_to_a_file(place, text):
    LANDINGS[place](text).encode()


@pytest.mark.parametrize("place", sorted(LANDINGS.keys() - KEPT))
@given(text=TEXT)
def test_one_line_stays_one_line(place, text):
    assert len(LANDINGS[place](text).splitlines()) <= 1


@every
@given(text=ORDINARY)
def test_plain_words_stand_as_they_came(place, text):
    assert text in LANDINGS[place](text)


@every
@given(text=CHINESE)
def test_chinese_text_stands_as_it_came(place, text):
    assert text in LANDINGS[place](text)


@pytest.mark.parametrize("place", WITHIN_ITSELF)
@given(text=TEXT)
def test_escaping_for_a_terminal_twice_is_escaping_once(place, text):
    once = LANDINGS[place](text)
    assert LANDINGS[place](once) == once
