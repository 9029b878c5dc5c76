"""Text for a terminal, or for anything else that a person reads as plain text."""

from __future__ import annotations

from grader.escape.characters import as_python, spelled_out


def line(text: str) -> str:
    """Return text fit for one line, whatever it holds. Escaping twice is escaping once."""
    return spelled_out(text, as_python)


def block(text: str) -> str:
    """Return text fit for a terminal that keeps its lines and tabs. Escaping twice is escaping once."""
    return spelled_out(text, as_python, keep="\n\t")
