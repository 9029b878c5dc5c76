from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.selftest.tokens import Tokens


def test_what_was_read_is_named() -> None:
    tokens = Tokens()
    assert tokens.read(f"{tokens.key} {tokens.environment}") == ["the grader's environment", "the course key"]
    assert tokens.read("nothing") == []


def test_every_planted_thing_is_another_each_time() -> None:
    assert not {*vars(Tokens()).values()} & {*vars(Tokens()).values()}


@given(st.integers(0, 9))
def test_an_input_is_known_whatever_whole_number_was_added_to_it(whole: int) -> None:
    tokens = Tokens()
    assert tokens.holds_input(repr(whole + tokens.number))
