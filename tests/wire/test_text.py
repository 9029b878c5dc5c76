from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.wire.text import clean


@given(st.text())
def test_text_that_can_be_written_is_left_as_it_is(text):
    assert clean(text) == text


@given(st.text(st.characters(categories=["Cs", "Lu", "So"])))
def test_anything_can_be_written_once_it_is_clean(text):
    assert clean(text).encode().decode() == clean(text)


def test_a_lone_surrogate_becomes_the_replacement_character():
    assert clean("a\ud800b") == "a\ufffdb"
