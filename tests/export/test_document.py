from __future__ import annotations

from grader.export.document import fitting, in_bytes, lines, shortened


def test_text_is_cut_where_it_is_too_long_and_says_so():
    assert shortened("12345678", 8) == "12345678"
    assert shortened("123456789", 8) == "1234 ..."
    assert [len(shortened("x" * 99, most)) for most in range(6)] == list(range(6))


def test_the_fullest_document_that_fits_is_made():
    asked = []

    def render(length):
        asked.append(length)
        return "\u6ce8" * length

    assert len(fitting(render, 4000, in_bytes)) == 1000
    assert asked == sorted(asked, reverse=True)


def test_where_nothing_fits_as_little_as_can_be_said_is_said():
    assert fitting(lambda length: f"{length} too much", 3, len) == "0 too much"


def test_lines_that_say_nothing_are_left_out():
    assert lines(["a", "", "b"]) == "a\nb"
