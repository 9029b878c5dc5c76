"""Text for a terminal, or for anything else that a person reads as plain text."""

from __future__ import annotations

import re

from grader.escape.characters import as_python, spelled_out

# What the log of a GitHub workflow takes for a command: the one where a line begins, the other anywhere.
_COMMAND = re.compile(r"^(\s*):(?=:)|()#(?=#\[)", re.MULTILINE)


def line(text: str) -> str:
    """Return text fit for one line, whatever it holds. Escaping twice is escaping once."""
    return _uncommanding(spelled_out(text, as_python))


def block(text: str) -> str:
    """Return text fit for a terminal that keeps its lines and tabs. Escaping twice is escaping once."""
    return _uncommanding(spelled_out(text, as_python, keep="\n\t"))


def _uncommanding(text: str) -> str:
    """Break what would be a command to whoever reads the log."""
    return _COMMAND.sub(lambda found: f"{found[0]}\\", text)
