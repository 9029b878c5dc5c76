from __future__ import annotations

import tomllib

from hypothesis import given

from grader.escape.toml import string
from tests.escape.enemy import TEXT


@given(text=TEXT)
def test_a_reader_of_toml_has_the_text_back(text):
    whole = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    assert tomllib.loads(f"text = {string(text)}") == {"text": whole}


def test_letters_stand_as_they_are_and_lines_stay_one():
    assert string('a "q"\n注意') == '"a \\"q\\"\\n注意"'
