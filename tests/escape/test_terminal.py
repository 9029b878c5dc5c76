from __future__ import annotations

import pytest

from grader.escape.terminal import block, line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\x1b]8;;http://x\x07link", "\\x1b]8;;http://x\\x07link"),
        ("\x9b31mred", "\\x9b31mred"),
        ("100\rpassed", "100\\rpassed"),
        ("\u202eyp.x", "\\u202eyp.x"),
        ("a\u200bb", "a\\u200bb"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_would_act_is_spelled_out(text, shown):
    assert line(text) == block(text) == shown


def test_a_block_keeps_its_lines_and_a_line_has_none():
    assert block("a\n\tb") == "a\n\tb"
    assert line("a\n\tb") == "a\\n\\tb"


@pytest.mark.parametrize(
    "text", ["::set-output name=score::100", "   ::stop-commands::x", "a ##[add-mask]b", "x\n::error::y"]
)
def test_no_line_is_a_command_to_the_log_of_a_workflow(text: str) -> None:
    for found in (line(text), block(text)):
        assert "##[" not in found
        assert not any(each.lstrip().startswith("::") for each in found.splitlines())
        assert block(found) == found


@pytest.mark.parametrize("text", ["a::b", "std::vector", "x[::2]", "# one ## two", "hidden/test_a.py::test_b"])
def test_colons_and_hashes_that_command_nothing_stay(text: str) -> None:
    assert line(text) == text
