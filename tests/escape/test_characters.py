from __future__ import annotations

import sys
import unicodedata

from grader.escape.characters import as_python, is_harmless, spelled_out


def test_no_character_that_controls_formats_or_is_none_is_harmless():
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            assert not is_harmless(chr(code)), hex(code)


def test_letters_digits_and_the_wide_space_are_harmless():
    assert all(map(is_harmless, "aZ09 \u00e9\u738b\u3042\u05d0\u0e32\u3000\U0001f600"))


def test_what_draws_nothing_is_not_harmless():
    assert not any(map(is_harmless, "\u3164\ufe0f\u115f\u200b\u00ad"))


def test_only_what_is_not_harmless_is_spelled_out():
    assert spelled_out("a\x1b\u738b\n\u202e", as_python, keep="\n") == "a\\x1b\u738b\n\\u202e"
