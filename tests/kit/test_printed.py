from __future__ import annotations

from hypothesis import given

from grader.kit.printed import printed
from tests.escape.enemy import TEXT, active


def test_of_what_was_printed_the_first_twenty_lines_are_shown_and_the_others_counted():
    text = "".join(f"{n}\n" for n in range(23))
    lines = list(printed(text, "en"))
    assert lines[0] == "    your code printed:"
    assert lines[1:-1] == [f"    | {n}" for n in range(20)]
    assert lines[-1] == "    ... and 3 more lines"
    assert list(printed(text, "zh-TW"))[-1] == "    …還有 3 行"
    assert list(printed(text, "en", verbose=True))[-1] == "    | 22"
    assert list(printed("x\n" * 21, "en"))[-1] == "    ... and 1 more line"


def test_where_nothing_was_printed_nothing_is_said():
    assert list(printed("", "en")) == list(printed("\n \n", "en")) == []


def test_one_endless_line_is_cut():
    assert len("".join(printed("x" * 10**6, "en"))) < 400


@given(TEXT)
def test_nothing_that_was_printed_acts_on_the_terminal_or_looks_like_a_verdict(text):
    lines = list(printed(text.encode("utf-8", "replace").decode(), "en"))
    assert all(active(line, but="\t") == [] for line in lines)
    assert all(line.startswith("    ") for line in lines)
