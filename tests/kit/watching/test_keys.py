from __future__ import annotations

import os
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("a pseudo-terminal is not to be had here", allow_module_level=True)

import termios

from grader.kit.watching.keys import keys


@pytest.fixture
def typing(monkeypatch):
    """Where somebody types, and the mode of the terminal."""
    ours, theirs = os.openpty()
    with open(theirs, encoding="utf-8", closefd=False) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        yield ours, lambda: termios.tcgetattr(theirs)
    for descriptor in (ours, theirs):
        os.close(descriptor)


def test_keys_come_one_at_a_time_without_a_line_to_end(typing) -> None:
    ours, _ = typing
    with keys() as pressed:
        os.write(ours, b"lr")
        assert [pressed.read(5), pressed.read(5), pressed.read(0.01)] == ["l", "r", None]


def test_an_arrow_is_no_letter(typing) -> None:
    ours, _ = typing
    with keys() as pressed:
        os.write(ours, b"\x1b[D")
        assert [pressed.read(5), pressed.read(0.01)] == ["\x1b", None]


def test_the_terminal_is_afterwards_as_it_was_also_after_an_error(typing) -> None:
    _, mode = typing
    before = mode()

    def fails() -> None:
        with keys():
            assert not mode()[3] & termios.ICANON
            assert not mode()[3] & termios.ECHO
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert mode() == before
