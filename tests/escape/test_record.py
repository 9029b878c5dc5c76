from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.escape.record import inert, json_line
from grader.escape.terminal import block
from tests.escape.enemy import TEXT, active

VALUES = st.recursive(
    TEXT | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


def without_halves(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


@given(TEXT)
def test_text_comes_back_as_it_was_but_for_halves_of_pairs(text):
    assert json.loads(json_line(text)) == without_halves(text)


@given(VALUES)
def test_any_value_is_one_line(value):
    assert len(json_line(value).splitlines()) == 1


@given(VALUES)
def test_a_document_of_many_lines_keeps_its_meaning_and_is_inert(value):
    document = json.dumps(value, indent=2)
    plain = json.dumps(json.loads(document), indent=2, ensure_ascii=False)
    assert active(inert(plain), but="\n") == []
    assert inert(inert(plain)) == inert(plain)
    assert json.loads(inert(plain)) == json.loads(without_halves(plain))


def test_control_characters_are_spelled_out_and_languages_are_not():
    assert json_line("\x1b\x9b\u202e\u2028\U000e0041\u6ce8") == '"\\u001b\\u009b\\u202e\\u2028\\udb40\\udc41\u6ce8"'


def test_json_has_no_word_for_a_nan():
    with pytest.raises(ValueError, match="JSON"):
        json_line(float("nan"))


@given(VALUES)
def test_a_document_can_be_printed_as_it_is(value):
    document = inert(json.dumps(value, indent=2, ensure_ascii=False))
    assert block(document) == document


@pytest.mark.parametrize("text", ["##[error]no", "a ###[group]", "\\##[x]", "::error::no", "\n::error::no"])
def test_a_command_to_a_workflow_is_none_in_a_document_and_means_what_it_meant(text):
    document = inert(json.dumps({"said": text}, indent=2))
    assert block(document) == document
    assert json.loads(document) == {"said": text}
