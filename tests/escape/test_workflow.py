from __future__ import annotations

from hypothesis import given

from grader.escape.workflow import message, property_value
from tests.escape.enemy import TEXT


def test_what_ends_a_property_or_a_line_is_escaped():
    assert property_value("a:b,c%d") == "a%3Ab%2Cc%25d"
    assert message("100%\nnext: a, b") == "100%25%0Anext: a, b"


@given(text=TEXT)
def test_no_property_ends_early(text):
    assert not {":", ","} & {*property_value(text)}
